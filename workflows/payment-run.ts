import {
  isCancellation,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import { engineActivities, providerActivities } from './activity-options.ts';
import { type PaymentRunInput, type PaymentRunProgress, type RunProgressSummary, runSummary } from './messages.ts';
import { payRows } from './pay-rows.ts';
import { type DecisionDesk, openDecisionDesk } from './run-decision.ts';
import { STATE } from '../domain/search-attributes.ts';

/**
 * A payment run: check, propose, wait for a decision, pay within a sliding window, report. Checking and paying are
 * done by activities and by one workflow a payment; this workflow decides what comes next, and when.
 */
export async function paymentRun(input: PaymentRunInput): Promise<{ state: string }> {
  const progress: PaymentRunProgress = input.progress ?? { decidedBy: '', lastRowNumber: 0 };
  let phase: RunProgressSummary['phase'] = 'checking';
  setHandler(runSummary, () => ({ phase, lastRowNumber: progress.lastRowNumber }));
  const desk = openDecisionDesk(input);

  if (input.progress === undefined) {
    const outcome = await proposeAndDecide(input, desk, () => {
      phase = 'deciding';
    });
    if (outcome.kind === 'nothing_to_pay') return end(input, 'no row of this run can be paid');
    if (outcome.kind !== 'approved') {
      show(outcome.kind, `Ended: ${outcome.kind}.`);
      return { state: outcome.kind };
    }
    progress.decidedBy = outcome.userId;
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

async function proposeAndDecide(
  input: PaymentRunInput,
  desk: DecisionDesk,
  onProposed: () => void,
): Promise<{ kind: 'nothing_to_pay' } | Awaited<ReturnType<DecisionDesk['decide']>>> {
  const { runId, account } = input;
  show('validating', 'Checking for duplicates.');
  await engineActivities.checkDuplicates({ runId });
  if (await engineActivities.balancesAreStale({ account })) {
    // Without balances the proposal says so: nobody should wait for them to decide.
    await providerActivities(account, 'ask').readBalances({ account }).catch(unlessCancelled);
  }
  const proposal = await engineActivities.proposeRun({ runId });
  if (proposal.payable === 0) return { kind: 'nothing_to_pay' };
  onProposed();
  show('in_approval', `Waiting for a decision on ${proposal.payable} payments.`);
  return desk.decide(proposal.contentHash);
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
