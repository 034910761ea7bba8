import { type PaymentState, wasPaid } from '../payments/payment-state.ts';
import { statesWhere } from '../state-table.ts';
import { RUN_STATE_TABLE, type RunStage, type RunState, type RunStateRow } from './run-state-table.ts';

/** What the code asks of the states of a run. Each answer is in the table. */

export {
  DECISION_KINDS,
  type DecisionKind,
  RUN_STATE_TABLE,
  RUN_STATES,
  type RunStage,
  type RunState,
} from './run-state-table.ts';

export function runStatesWhere(isSo: (row: RunStateRow) => boolean): readonly RunState[] {
  return statesWhere(RUN_STATE_TABLE, isSo);
}

function statesIn(...stages: readonly RunStage[]): readonly RunState[] {
  return runStatesWhere(({ stage }) => stages.includes(stage));
}

/** Neither approved nor ended. */
export const UNDECIDED_RUN_STATES = statesIn('checking', 'deciding');

/** Approved and not ended: running, waiting for money or paused. Only such a run can be stopped. */
export const PAYING_RUN_STATES = statesIn('paying');

/** Not ended. */
export const OPEN_RUN_STATES = statesIn('checking', 'deciding', 'paying');

export const ENDED_RUN_STATES = statesIn('ended');

/** The ends of a run that was paid, or failed its checks. Only these follow the payments' outcomes. */
export const RUN_OUTCOMES = runStatesWhere(({ run }) => run.followsPayments);

/** Checked, and not decided: its maker sends it for approval, or people decide on it. It expires if nobody does. */
export const WAITING_RUN_STATES = runStatesWhere(
  ({ stage, decision }) => stage === 'deciding' && !decision.isBeingPrepared,
);

/** They pay, or would if they were not stopped. A scheduled run has not started. */
export const STARTED_RUN_STATES = runStatesWhere(({ run }) => run.hasStarted);

/** A workflow carries them out. */
export const WORKFLOW_RUN_STATES = runStatesWhere(({ run }) => run.hasWorkflow);

/** Nothing of them was paid: their files and rows may be submitted again. */
export const UNSUBMITTED_RUN_STATES = runStatesWhere(({ countsAsSubmitted }) => !countsAsSubmitted);

/** Their maker withdrew them, or they were cancelled: what of them was sent before may be paid. */
export const WITHDRAWN_RUN_STATES = runStatesWhere(({ decision }) => decision.endedBy.includes('withdrawn'));

export function stageOfRun(state: RunState): RunStage {
  return RUN_STATE_TABLE[state].stage;
}

export function runHasEnded(state: RunState): boolean {
  return stageOfRun(state) === 'ended';
}

/** A moment later people can decide on it, or it has ended. */
export function runIsBeingPrepared(state: RunState): boolean {
  return RUN_STATE_TABLE[state].decision.isBeingPrepared;
}

export function mayTransitionRun(from: RunState, to: RunState): boolean {
  return RUN_STATE_TABLE[from].next.includes(to);
}

/**
 * `completed` means that the provider confirmed every payment as paid, and none came back; `failed` that it never confirmed
 * any.
 */
export function outcomeOfRun(payments: Partial<Record<PaymentState, number>>): RunState {
  const rows = Object.entries(payments) as [PaymentState, number][];
  const countOf = (isCounted: (state: PaymentState) => boolean): number =>
    rows.reduce((sum, [state, count]) => (isCounted(state) ? sum + count : sum), 0);
  if (countOf(wasPaid) === 0) return 'failed';
  return countOf((state) => state !== 'paid') === 0 ? 'completed' : 'partially_completed';
}
