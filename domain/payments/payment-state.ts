/** The states of one row of a run, and the one table of moves between them (the database refuses the others as well). */

export const PAYMENT_STATES = [
  'invalid',
  'duplicate_suspect',
  'excluded',
  'held',
  'ready',
  'quoted',
  'created',
  'awaiting_funds',
  'funded',
  'processing',
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
  'unknown',
] as const;

export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * From each state, where a row may go. `quoted → ready` is a quote that expired unused. `unknown` may become any fact
 * that the provider later states. A row may skip states when one read shows that the provider is further than we knew.
 */
export const PAYMENT_MOVES: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  invalid: [],
  duplicate_suspect: ['ready', 'excluded', 'cancelled'],
  excluded: [],
  held: ['ready', 'excluded', 'cancelled', 'unknown'],
  ready: ['quoted', 'held', 'duplicate_suspect', 'excluded', 'cancelled', 'rejected', 'unknown'],
  quoted: ['ready', 'created', 'held', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  created: ['awaiting_funds', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  awaiting_funds: ['funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  funded: ['processing', 'paid', 'rejected', 'failed', 'unknown'],
  processing: ['paid', 'rejected', 'failed', 'unknown'],
  paid: ['returned'],
  rejected: [],
  failed: [],
  cancelled: [],
  returned: [],
  unknown: ['created', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled'],
};

export function mayMove(from: PaymentState, to: PaymentState): boolean {
  return PAYMENT_MOVES[from].includes(to);
}

/** States that a payment's workflow ends in. `unknown` is among them: nothing more happens to it without a person. */
export const ENDED_PAYMENT_STATES = [
  'invalid',
  'excluded',
  'paid',
  'rejected',
  'failed',
  'cancelled',
  'returned',
  'unknown',
] as const satisfies readonly PaymentState[];

/** Created with the provider, which has taken no money for it. */
export const UNFUNDED_PAYMENT_STATES = ['created', 'awaiting_funds'] as const satisfies readonly PaymentState[];

export function isUnfunded(state: PaymentState): boolean {
  return (UNFUNDED_PAYMENT_STATES as readonly PaymentState[]).includes(state);
}

/** Created with the provider and not known to be over: what the confirmation sweep looks after. */
export const IN_FLIGHT_PAYMENT_STATES = [
  ...UNFUNDED_PAYMENT_STATES,
  'funded',
  'processing',
] as const satisfies readonly PaymentState[];

export function isInFlight(state: PaymentState): boolean {
  return (IN_FLIGHT_PAYMENT_STATES as readonly PaymentState[]).includes(state);
}

export function hasEnded(state: PaymentState): boolean {
  return (ENDED_PAYMENT_STATES as readonly PaymentState[]).includes(state);
}
