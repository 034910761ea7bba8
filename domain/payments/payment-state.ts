/** The states of one row of a run: its stage in each, and the transitions that the database allows as well. */

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
 * `on_hold` until a person acts; not yet created with the provider; created there and `unfunded`; funded and `in_flight`
 * until the provider shows how it ended. Nothing more happens to an ended payment without a person.
 */
export type PaymentStage = 'on_hold' | 'uncreated' | 'unfunded' | 'in_flight' | 'ended';

/**
 * `quoted → ready`: a quote that expired unused. `unknown` may become any state that the provider shows later. A payment
 * may skip states when one read shows that the provider is further than the record.
 */
export const PAYMENT_STATE_TABLE: Readonly<
  Record<PaymentState, { stage: PaymentStage; next: readonly PaymentState[] }>
> = {
  invalid: { stage: 'ended', next: [] },
  duplicate_suspect: { stage: 'on_hold', next: ['ready', 'excluded', 'cancelled'] },
  excluded: { stage: 'ended', next: [] },
  held: { stage: 'on_hold', next: ['ready', 'excluded', 'cancelled', 'unknown'] },
  ready: {
    stage: 'uncreated',
    next: ['quoted', 'held', 'duplicate_suspect', 'excluded', 'cancelled', 'rejected', 'unknown'],
  },
  quoted: {
    stage: 'uncreated',
    next: ['ready', 'created', 'held', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  },
  created: {
    stage: 'unfunded',
    next: ['awaiting_funds', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  },
  awaiting_funds: {
    stage: 'unfunded',
    next: ['funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled', 'unknown'],
  },
  funded: { stage: 'in_flight', next: ['processing', 'paid', 'rejected', 'failed', 'unknown'] },
  processing: { stage: 'in_flight', next: ['paid', 'rejected', 'failed', 'unknown'] },
  paid: { stage: 'ended', next: ['returned'] },
  rejected: { stage: 'ended', next: [] },
  failed: { stage: 'ended', next: [] },
  cancelled: { stage: 'ended', next: [] },
  returned: { stage: 'ended', next: [] },
  unknown: { stage: 'ended', next: ['created', 'funded', 'processing', 'paid', 'rejected', 'failed', 'cancelled'] },
};

function statesIn(...stages: readonly PaymentStage[]): readonly PaymentState[] {
  return PAYMENT_STATES.filter((state) => stages.includes(stageOfPayment(state)));
}

/** To be sent, and not known to be created with the provider. */
export const UNCREATED_PAYMENT_STATES = statesIn('uncreated');

/** Created with the provider, which has taken no money for it. */
export const UNFUNDED_PAYMENT_STATES = statesIn('unfunded');

/** To be created or funded. */
export const PENDING_PAYMENT_STATES = statesIn('uncreated', 'unfunded');

/** To be created or funded, and not waiting for money. */
export const SENDING_PAYMENT_STATES = PENDING_PAYMENT_STATES.filter((state) => state !== 'awaiting_funds');

/** Funded, and not known to have ended: the poller of payment statuses reads these. */
export const IN_FLIGHT_PAYMENT_STATES = statesIn('in_flight');

/** To be created, funded or confirmed. */
export const OPEN_PAYMENT_STATES = statesIn('uncreated', 'unfunded', 'in_flight');

/** A workflow ends in these, in `unknown` as well. */
export const ENDED_PAYMENT_STATES = statesIn('ended');

const WITH_PROVIDER = statesIn('unfunded', 'in_flight');

/** The provider may still show a change: created there and not ended, or given up as unknown. */
export const OBSERVABLE_PAYMENT_STATES: readonly PaymentState[] = [...WITH_PROVIDER, 'unknown'];

export function stageOfPayment(state: PaymentState): PaymentStage {
  return PAYMENT_STATE_TABLE[state].stage;
}

export function mayTransitionPayment(from: PaymentState, to: PaymentState): boolean {
  return PAYMENT_STATE_TABLE[from].next.includes(to);
}

export function isUnfunded(state: PaymentState): boolean {
  return stageOfPayment(state) === 'unfunded';
}

/** Created with the provider and not known to have ended. */
export function isWithProvider(state: PaymentState): boolean {
  return WITH_PROVIDER.includes(state);
}

export function hasEnded(state: PaymentState): boolean {
  return stageOfPayment(state) === 'ended';
}
