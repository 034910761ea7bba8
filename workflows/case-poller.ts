import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import { mainActivities, onboardingActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { type CasePollerInput, pollRequested, webhookReceived } from './messages.ts';

/** However many webhooks arrive, it plans at most once in this time. */
const MIN_PAUSE = '1 second';

/** After so many failures in a row the rest is read in the next round. */
const MAX_FAILURES = 2;

/**
 * Reads an account's open cases. The provider has no list of users, so each case is read by itself: soon after a webhook,
 * else after pauses that grow. It starts the workflows of new cases, and ends when no case is open.
 */
export async function casePoller({ account }: CasePollerInput): Promise<void> {
  let isWoken = false;
  const wasWoken = (): boolean => isWoken;
  for (const signal of [webhookReceived, pollRequested]) {
    setHandler(signal, () => {
      isWoken = true;
    });
  }
  for (;;) {
    isWoken = false;
    const plan = await mainActivities.planCasePoll({ account });
    setCurrentDetails(`${plan.due.length} cases to read.`);
    const failures = await readAll(account, plan);
    // A signal that arrived meanwhile keeps the workflow open: the server rejects its completion.
    if (plan.isFinished && !wasWoken()) return;
    if (!plan.hasMore) {
      const waitMs = plan.due.length > 0 && failures < MAX_FAILURES ? 1 : plan.waitMs;
      await condition(wasWoken, Math.max(waitMs, 1));
    }
    await sleep(MIN_PAUSE);
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof casePoller>({ account });
    }
  }
}

setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, casePoller);

type Plan = Awaited<ReturnType<typeof mainActivities.planCasePoll>>;

/** Answers how many reads failed in a row at the end. */
async function readAll(account: string, { due, candidates }: Plan): Promise<number> {
  let failures = 0;
  const attempt = async (read: () => Promise<void>): Promise<void> => {
    if (failures >= MAX_FAILURES) return;
    try {
      await read();
      failures = 0;
    } catch (error) {
      rethrowCancellation(error);
      failures += 1;
    }
  };
  for (const { caseId, hasWebhook } of due) {
    const provider = onboardingActivities(account, hasWebhook ? 'lookup' : 'poll');
    await attempt(async () => {
      const { hasChanged } = await provider.readApplicant({ caseId });
      if (hasChanged) await mainActivities.notifyCase({ caseId });
    });
  }
  for (const userId of candidates) {
    await attempt(async () => {
      const { adopted } = await onboardingActivities(account, 'lookup').readCandidate({ account, userId });
      for (const caseId of adopted) await mainActivities.notifyCase({ caseId });
    });
  }
  return failures;
}
