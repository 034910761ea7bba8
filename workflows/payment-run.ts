import { setCurrentDetails, setHandler, setWorkflowOptions, upsertSearchAttributes } from '@temporalio/workflow';
import type { RunStage } from '../domain/runs/run-state.ts';
import { STATE } from '../domain/runs/search-attributes.ts';
import { mainActivities, providerActivities } from './activity-options.ts';
import { type ApprovalGate, type DecisionOutcome, openApprovalGate } from './approval-gate.ts';
import { rethrowCancellation } from './cancellation.ts';
import { type PaymentRunInput, type PaymentRunProgress, type RunProgressSummary, runSummary } from './messages.ts';
import { payRows } from './pay-rows.ts';

/**
 * A payment run: check, propose, wait for a decision, pay within a concurrency limit, report. Activities and one workflow per
 * payment do the work; this workflow decides what comes next, and when. It reads from the database what it may do: neither its
 * input nor a signal is a permission.
 */
export async function paymentRun(input: PaymentRunInput): Promise<{ state: string }> {
  const progress: PaymentRunProgress = input.progress ?? { lastRowNumber: 0 };
  let phase: RunProgressSummary['phase'] = 'checking';
  setHandler(runSummary, () => ({ phase, lastRowNumber: progress.lastRowNumber }));
  const gate = openApprovalGate(input);

  if (input.progress === undefined) {
    // A workflow that replaces a lost one continues from the stage in the database.
    const { stage } = await mainActivities.readRunStage({ runId: input.runId });
    if (stage === 'ended') return { state: 'ended' };
    const outcome = await untilApproved(input, stage, gate, () => {
      phase = 'deciding';
    });
    if (outcome.kind === 'nothing_to_pay') return end(input);
    if (outcome.kind !== 'approved') {
      show(outcome.kind, `Ended: ${outcome.kind}.`);
      return { state: outcome.kind };
    }
    await mainActivities.startAccountWorkflows({ account: input.account });
  }
  phase = 'paying';
  show('running', 'Paying.');
  await payRows(input, progress, () => {
    phase = 'confirming';
  });
  phase = 'ended';
  return end(input);
}

// It may last for weeks, so it moves to the current version, which must be able to replay its history.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, paymentRun);

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
    if (payable === 0 && releasable === 0) return { kind: 'nothing_to_pay' };
  }
  onProposed();
  return gate.untilDecided((state) => {
    show(state, state === 'checked' ? 'Waiting for its maker.' : 'Waiting for a decision.');
  });
}

async function propose({ runId, account }: PaymentRunInput): ReturnType<typeof mainActivities.proposeRun> {
  show('validating', 'Checking for duplicates.');
  if (await mainActivities.balancesAreStale({ account })) {
    // The decision does not wait for the balances: without them, the proposal says so.
    await providerActivities(account, 'interactive').readBalances({ account }).catch(rethrowCancellation);
  }
  await readBeneficiaries({ runId, account }).catch(rethrowCancellation);
  // By now the bank accounts are known of beneficiaries that rows name by the provider's id.
  await mainActivities.checkDuplicates({ runId });
  await quoteIndications({ runId, account }).catch(rethrowCancellation);
  return mainActivities.proposeRun({ runId });
}

/** A run of more ways to pay has the prices of those that most rows have. */
const MAX_INDICATIONS = 20;
const INDICATIONS_WITHIN_MS = 60_000;

/** Lets the approvers see what it is expected to cost. Without prices the proposal says so; nobody waits long for them. */
async function quoteIndications({ runId, account }: Pick<PaymentRunInput, 'runId' | 'account'>): Promise<void> {
  const until = Date.now() + INDICATIONS_WITHIN_MS;
  for (let quotes = 0; quotes < MAX_INDICATIONS && Date.now() < until; quotes += 1) {
    const { left } = await providerActivities(account, 'indicate').quoteIndication({ runId });
    if (left === 0) return;
  }
}

/** Limits for reading beneficiaries that rows name by the provider's id: one request for the list, then one for each. */
const MAX_BENEFICIARY_READS = 20;
const BENEFICIARY_READS_WITHIN_MS = 120_000;

/** Lets the approvers see who is paid, and where. Beneficiaries that cannot be read are shown as such; nobody waits for them. */
async function readBeneficiaries({ runId, account }: Pick<PaymentRunInput, 'runId' | 'account'>): Promise<void> {
  const until = Date.now() + BENEFICIARY_READS_WITHIN_MS;
  let { unread } = await mainActivities.countUnreadBeneficiaries({ runId });
  for (let reads = 0; unread > 0 && reads < MAX_BENEFICIARY_READS && Date.now() < until; reads += 1) {
    const isFirst = reads === 0;
    ({ unread } = await providerActivities(account, 'interactive').readBeneficiaries({ runId, isFirst }));
  }
}

async function end(input: PaymentRunInput): Promise<{ state: string }> {
  const ended = await mainActivities.finishRun({ runId: input.runId });
  show(ended.state, `Ended: ${ended.state}.`);
  return ended;
}

function show(state: string, details: string): void {
  upsertSearchAttributes([{ key: STATE, value: state }]);
  setCurrentDetails(details);
}
