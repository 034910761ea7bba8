import {
  isCancellation,
  patched,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { RunStage } from '../activities/runs/read-run-stage.ts';
import { engineActivities, providerActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, type RunProgressSummary, runSummary } from './messages.ts';
import { payRows } from './pay-rows.ts';
import { type ApprovalGate, type DecisionOutcome, openApprovalGate } from './run-decision.ts';
import { STATE } from '../domain/runs/search-attributes.ts';

/**
 * A payment run: check, propose, wait for a decision, pay within a sliding window, report. Checking and paying are
 * done by activities and by one workflow a payment; this workflow decides what comes next, and when. What it may do it
 * reads from the record: nothing that it is given when it starts, and no signal, is a permission.
 */
export async function paymentRun(input: PaymentRunInput): Promise<{ state: string }> {
  const progress: PaymentRunProgress = input.progress ?? { lastRowNumber: 0 };
  let phase: RunProgressSummary['phase'] = 'checking';
  setHandler(runSummary, () => ({ phase, lastRowNumber: progress.lastRowNumber }));
  const gate = openApprovalGate(input);

  if (input.progress === undefined) {
    const stage = await stageOf(input);
    if (stage === 'ended') return { state: 'ended' };
    const outcome = await untilApproved(input, stage, gate, () => {
      phase = 'deciding';
    });
    if (outcome.kind === 'nothing_to_pay') return end(input, 'no row of this run can be paid');
    if (outcome.kind !== 'approved') {
      show(outcome.kind, `Ended: ${outcome.kind}.`);
      return { state: outcome.kind };
    }
    await engineActivities.startConfirmation({ account: input.account });
  }
  phase = 'paying';
  show('running', 'Paying.');
  await payRows(input, progress, () => {
    phase = 'confirming';
  });
  phase = 'ended';
  return end(input, null);
}

// It may last for weeks: it goes over to the version that is current, which must replay what came before.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, paymentRun);

/** A run whose workflow was lost goes on from where the record says that it was. */
async function stageOf({ runId }: PaymentRunInput): Promise<RunStage> {
  if (!patched('stage-in-the-record')) return 'checking';
  return (await engineActivities.readRunStage({ runId })).stage;
}

type ProposedOutcome = { kind: 'nothing_to_pay' } | DecisionOutcome;

async function untilApproved(
  input: PaymentRunInput,
  stage: RunStage,
  gate: ApprovalGate,
  onProposed: () => void,
): Promise<ProposedOutcome> {
  if (stage === 'paying') return { kind: 'approved' };
  if (stage === 'checking') {
    const { payable, releasable } = await propose(input);
    if (payable === 0 && (releasable ?? 0) === 0) return { kind: 'nothing_to_pay' };
  }
  onProposed();
  show('in_approval', 'Waiting for a decision.');
  return gate.untilDecided();
}

/** `releasable`: absent in the histories of the version before, which ended without a row to pay. */
async function propose({ runId, account }: PaymentRunInput): Promise<{ payable: number; releasable?: number }> {
  show('validating', 'Checking for duplicates.');
  await engineActivities.checkDuplicates({ runId });
  if (await engineActivities.balancesAreStale({ account })) {
    // Without balances the proposal says so: nobody should wait for them to decide.
    await providerActivities(account, 'ask').readBalances({ account }).catch(unlessCancelled);
  }
  if (patched('beneficiaries-read')) await readBeneficiaries({ runId, account }).catch(unlessCancelled);
  // By now the accounts are known of those that rows name by the provider's id.
  if (patched('duplicates-by-account')) await engineActivities.checkDuplicates({ runId });
  return engineActivities.proposeRun({ runId });
}

/** Requests for beneficiaries that rows name by the provider's id (one for the list, the others for one each), and time. */
const MOST_BENEFICIARY_READS = 20;
const BENEFICIARY_READS_WITHIN_MS = 120_000;

/** So that those who decide see whom and where they pay. What cannot be read is told as such, and keeps nobody waiting. */
async function readBeneficiaries({ runId, account }: Pick<PaymentRunInput, 'runId' | 'account'>): Promise<void> {
  const until = Date.now() + BENEFICIARY_READS_WITHIN_MS;
  let { unread } = await engineActivities.countUnreadBeneficiaries({ runId });
  for (let reads = 0; unread > 0 && reads < MOST_BENEFICIARY_READS && Date.now() < until; reads += 1) {
    const isFirst = reads === 0;
    ({ unread } = await providerActivities(account, 'ask').readBeneficiaries({ runId, account, isFirst }));
  }
}

function unlessCancelled(error: unknown): void {
  if (isCancellation(error)) throw error;
}

async function end(input: PaymentRunInput, reason: string | null): Promise<{ state: string }> {
  const ended = await engineActivities.finishRun({ runId: input.runId, reason });
  show(ended.state, `Ended: ${ended.state}.`);
  return ended;
}

function show(state: string, details: string): void {
  upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(details);
}
