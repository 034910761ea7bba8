import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { pauseAfter } from '../domain/doubling-pauses.ts';
import type { CaseState } from '../domain/onboarding/case-state.ts';
import { STATE } from '../domain/runs/search-attributes.ts';
import { mainActivities, onboardingActivities, uploadActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { caseChanged, caseSummary, type OnboardingInput } from './messages.ts';

/** After steps in a row that failed for good: what failed may fail at once again. A change ends the pause. */
const FAILED_PAUSES_MS = [5_000, 20_000, 80_000, 300_000];

/** Attempts to find a screening that was requested. More are counted in the database. */
const MAX_SCREENING_ROUNDS = 5;

/** An address may expire before it is used; after so many in a row the case is given up. */
const MAX_ADDRESSES = 5;
const UPLOAD_PAUSES = { firstMs: 5_000, maxMs: 600_000 };
const MAX_UPLOADS_UNANSWERED = 40;

/**
 * One case, from its sign-up to the provider's decision. The database says what comes next, whoever sends a signal: a signal
 * only has the workflow look again.
 */
export async function onboarding(input: OnboardingInput): Promise<{ state: CaseState }> {
  const { caseId, account } = input;
  let hasChanged = false;
  let shown: CaseState = 'draft';
  let failures = 0;
  setHandler(caseChanged, () => {
    hasChanged = true;
  });
  setHandler(caseSummary, () => ({ state: shown }));

  for (;;) {
    hasChanged = false;
    const stage = await mainActivities.readCaseStage({ caseId });
    if (stage.state !== shown) upsertSearchAttributes([{ key: STATE, value: stage.state }]);
    shown = stage.state;
    setCurrentDetails(`${stage.state.replaceAll('_', ' ')}.`);
    if (stage.hasEnded) return { state: stage.state };
    const result = await step(input, stage);
    failures = result === 'failed' ? failures + 1 : 0;
    if (result === 'failed') {
      await condition(() => hasChanged, FAILED_PAUSES_MS[failures - 1] ?? FAILED_PAUSES_MS.at(-1));
    }
    if (result === 'waits') {
      // It may wait for the provider: the account's poller reads for all cases.
      await mainActivities.startCasePoller({ account });
      await condition(() => hasChanged, stage.waitMs);
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof onboarding>(input);
    }
  }
}

// It waits for weeks, so it moves to the current version.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, onboarding);

type Stage = Awaited<ReturnType<typeof mainActivities.readCaseStage>>;

/** `waits`: only a signal or time brings the case further. */
type StepResult = 'worked' | 'waits' | 'failed';

/** Does what the state asks for. */
async function step(input: OnboardingInput, stage: Stage): Promise<StepResult> {
  const { caseId, account } = input;
  const provider = onboardingActivities(account, 'prepare');
  try {
    switch (stage.state) {
      case 'draft':
      case 'signing_up':
        if (stage.isAdopted) await provider.adoptApplicant({ caseId });
        else await onboardingActivities(account, 'signUp').signUpApplicant({ caseId });
        return 'worked';
      case 'preparing':
        await prepare(input, stage);
        return 'worked';
      case 'ready':
        await screen(input);
        return 'worked';
      case 'unknown':
        if (!stage.isResolved) return 'waits';
        await onboardingActivities(account, 'lookup').resolveCase({ caseId });
        return 'worked';
      default:
        return 'waits';
    }
  } catch (error) {
    rethrowCancellation(error);
    await mainActivities.giveUpCase({ caseId });
    return 'failed';
  }
}

/** Details, company and documents, each until the case is no longer being prepared; then what the provider shows of them. */
async function prepare({ caseId, account }: OnboardingInput, { isCompany, slots }: Stage): Promise<void> {
  const provider = onboardingActivities(account, 'prepare');
  if ((await provider.readApplicant({ caseId })).state !== 'preparing') return;
  if ((await provider.sendDetails({ caseId })).state !== 'preparing') return;
  if (isCompany && (await provider.sendCompany({ caseId })).state !== 'preparing') return;
  for (const slot of slots) {
    if (!(await deliver({ caseId, account }, slot))) return;
  }
  await provider.checkDetails({ caseId });
}

/** Announces, uploads and verifies one document. False when the case is no longer being prepared. */
async function deliver({ caseId, account }: OnboardingInput, slot: string): Promise<boolean> {
  const provider = onboardingActivities(account, 'prepare');
  let unanswered = 0;
  for (let addresses = 0; addresses < MAX_ADDRESSES + MAX_UPLOADS_UNANSWERED; addresses += 1) {
    const announced = await provider.announceDocument({ caseId, slot });
    if (announced.next === 'find_document') {
      await provider.findDocument({ caseId, slot });
      continue;
    }
    if (announced.state !== 'preparing') return false;
    if (announced.next === 'none') return true;
    const result = await uploadAndVerify({ caseId, account }, slot);
    if (result === 'verified') return true;
    if (result === 'given_up') return false;
    if (result === 'no_answer') {
      unanswered += 1;
      await sleep(pauseAfter(unanswered, UPLOAD_PAUSES));
    } else if (addresses - unanswered >= MAX_ADDRESSES) break;
  }
  await mainActivities.giveUpCase({ caseId });
  return false;
}

async function uploadAndVerify(
  { caseId, account }: OnboardingInput,
  slot: string,
): Promise<'verified' | 'given_up' | 'no_answer' | 'again'> {
  const uploaded = await uploadActivities.uploadDocument({ caseId, slot });
  if (uploaded === 'no_answer') return 'no_answer';
  if (uploaded === 'url_expired') return 'again';
  await onboardingActivities(account, 'prepare').readUploadedDocument({ caseId, slot });
  const { result } = await uploadActivities.verifyDocument({ caseId, slot });
  return result === 'upload_again' ? 'again' : result;
}

async function screen({ caseId, account }: OnboardingInput): Promise<void> {
  const provider = onboardingActivities(account, 'prepare');
  let hasReadAgain = false;
  for (let round = 0; round < MAX_SCREENING_ROUNDS; round += 1) {
    const { next, state } = await provider.requestScreening({ caseId, isLast: hasReadAgain });
    if (next === 'wait') {
      if (hasReadAgain) return;
      // The status in the database is that from before the phone was sent.
      await provider.readApplicant({ caseId, after: 'details' });
      hasReadAgain = true;
      continue;
    }
    if (next === 'none' || state !== 'ready') return;
    if ((await provider.confirmScreening({ caseId })).state !== 'ready') return;
  }
  await mainActivities.giveUpCase({ caseId });
}
