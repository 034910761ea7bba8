import type { PaymentState } from '../payments/payment-state.ts';

/** The states of a payment run: its stage in each, and the transitions that the database allows as well. */

export const RUN_STATES = [
  'draft',
  'validating',
  'proposed',
  'in_approval',
  'scheduled',
  'awaiting_funds',
  'running',
  'paused',
  'completed',
  'partially_completed',
  'failed',
  'cancelled',
  'rejected',
  'expired',
] as const;

export type RunState = (typeof RUN_STATES)[number];

/** `checking` its rows; `deciding` whether to approve it; approved and `paying`, also while it waits or is stopped. */
export type RunStage = 'checking' | 'deciding' | 'paying' | 'ended';

/** A run that has ended still changes its outcome when that of an unknown payment becomes known, or a payment comes back. */
export const RUN_STATE_TABLE: Readonly<Record<RunState, { stage: RunStage; next: readonly RunState[] }>> = {
  draft: { stage: 'checking', next: ['validating', 'cancelled'] },
  validating: { stage: 'checking', next: ['proposed', 'failed', 'cancelled'] },
  proposed: {
    stage: 'deciding',
    next: ['in_approval', 'failed', 'scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled'],
  },
  in_approval: {
    stage: 'deciding',
    next: ['scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled'],
  },
  scheduled: { stage: 'paying', next: ['awaiting_funds', 'running', 'paused', 'cancelled'] },
  awaiting_funds: { stage: 'paying', next: ['running', 'paused', 'cancelled'] },
  running: {
    stage: 'paying',
    next: ['paused', 'awaiting_funds', 'completed', 'partially_completed', 'failed', 'cancelled'],
  },
  paused: { stage: 'paying', next: ['running', 'completed', 'partially_completed', 'failed', 'cancelled'] },
  completed: { stage: 'ended', next: ['partially_completed'] },
  partially_completed: { stage: 'ended', next: ['running', 'completed'] },
  failed: { stage: 'ended', next: ['running', 'partially_completed', 'completed'] },
  cancelled: { stage: 'ended', next: [] },
  rejected: { stage: 'ended', next: [] },
  expired: { stage: 'ended', next: [] },
};

function statesIn(...stages: readonly RunStage[]): readonly RunState[] {
  return RUN_STATES.filter((state) => stages.includes(stageOfRun(state)));
}

/** Neither approved nor ended. */
export const UNDECIDED_RUN_STATES = statesIn('checking', 'deciding');

/** Approved and not ended: running, waiting for money or paused. Only such a run can be stopped. */
export const PAYING_RUN_STATES = statesIn('paying');

/** Not ended. */
export const OPEN_RUN_STATES = statesIn('checking', 'deciding', 'paying');

export const ENDED_RUN_STATES = statesIn('ended');

/** The ends of a run that was paid, or failed its checks. Only these follow the payments' outcomes. */
export const RUN_OUTCOMES = ['completed', 'partially_completed', 'failed'] as const satisfies readonly RunState[];

export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export function stageOfRun(state: RunState): RunStage {
  return RUN_STATE_TABLE[state].stage;
}

export function runHasEnded(state: RunState): boolean {
  return stageOfRun(state) === 'ended';
}

export function mayTransitionRun(from: RunState, to: RunState): boolean {
  return RUN_STATE_TABLE[from].next.includes(to);
}

/**
 * `completed` means that the provider confirmed every payment as paid, and none came back; `failed` that it never confirmed
 * any.
 */
export function outcomeOfRun(payments: Partial<Record<PaymentState, number>>): RunOutcome {
  const paid = payments.paid ?? 0;
  const others = Object.entries(payments).reduce((sum, [state, count]) => (state === 'paid' ? sum : sum + count), 0);
  if (paid + (payments.returned ?? 0) === 0) return 'failed';
  return others === 0 ? 'completed' : 'partially_completed';
}
