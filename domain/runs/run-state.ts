import type { PaymentState } from '../payments/payment-state.ts';

/** The states of a payment run, and the one table of moves between them (the database refuses the others as well). */

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

/** A run that has ended still moves between its outcomes when the truth about an unknown row comes out later. */
export const RUN_MOVES: Readonly<Record<RunState, readonly RunState[]>> = {
  draft: ['validating', 'cancelled'],
  validating: ['proposed', 'failed', 'cancelled'],
  proposed: ['in_approval', 'failed', 'scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled'],
  in_approval: ['scheduled', 'awaiting_funds', 'running', 'rejected', 'expired', 'cancelled'],
  scheduled: ['awaiting_funds', 'running', 'paused', 'cancelled'],
  awaiting_funds: ['running', 'paused', 'cancelled'],
  running: ['paused', 'awaiting_funds', 'completed', 'partially_completed', 'failed', 'cancelled'],
  paused: ['running', 'completed', 'partially_completed', 'failed', 'cancelled'],
  completed: ['partially_completed'],
  partially_completed: ['running', 'completed'],
  failed: ['running', 'partially_completed', 'completed'],
  cancelled: [],
  rejected: [],
  expired: [],
};

export const ENDED_RUN_STATES = [
  'completed',
  'partially_completed',
  'failed',
  'cancelled',
  'rejected',
  'expired',
] as const satisfies readonly RunState[];

export function runHasEnded(state: RunState): boolean {
  return (ENDED_RUN_STATES as readonly RunState[]).includes(state);
}

export function mayMoveRun(from: RunState, to: RunState): boolean {
  return RUN_MOVES[from].includes(to);
}

/** `completed` means that the provider confirmed every row as paid, nothing less. */
export function outcomeOfRun(
  rows: Partial<Record<PaymentState, number>>,
): 'completed' | 'partially_completed' | 'failed' {
  const paid = rows.paid ?? 0;
  const others = Object.entries(rows).reduce((sum, [state, count]) => (state === 'paid' ? sum : sum + count), 0);
  if (paid === 0) return 'failed';
  return others === 0 ? 'completed' : 'partially_completed';
}
