import { statesWhere } from '../state-table.ts';
import {
  PAYMENT_STATES,
  type PaymentPart,
  type PaymentStage,
  type PaymentState,
  type PaymentStateRow,
} from './payment-state-row.ts';
import { PAYMENT_STATE_TABLE } from './payment-state-table.ts';

/** What the code asks of the states of a payment. Each answer is in the table. */

export { PAYMENT_STATES, type PaymentPart, type PaymentState } from './payment-state-row.ts';
export { PAYMENT_STATE_TABLE } from './payment-state-table.ts';

export function paymentStatesWhere(isSo: (row: PaymentStateRow) => boolean): readonly PaymentState[] {
  return statesWhere(PAYMENT_STATE_TABLE, isSo);
}

function statesIn(...stages: readonly PaymentStage[]): readonly PaymentState[] {
  return paymentStatesWhere(({ stage }) => stages.includes(stage));
}

/** To be sent, and not known to be created with the provider. */
export const UNCREATED_PAYMENT_STATES = statesIn('uncreated');

/** Created with the provider, which has taken no money for it. */
export const UNFUNDED_PAYMENT_STATES = statesIn('unfunded');

/** To be created or funded: what it costs is reserved for its run. */
export const PENDING_PAYMENT_STATES = statesIn('uncreated', 'unfunded');

/** To be created or funded, and not waiting for money. */
export const SENDING_PAYMENT_STATES = paymentStatesWhere(({ progress }) => progress.waitsFor === 'payrun');

/** Funded, and not known to have ended: the poller of payment statuses reads these. */
export const IN_FLIGHT_PAYMENT_STATES = statesIn('in_flight');

/** Created with the provider and not known to have ended. */
export const PROVIDER_PAYMENT_STATES = statesIn('unfunded', 'in_flight');

/** To be created, funded or confirmed. */
export const OPEN_PAYMENT_STATES = statesIn('uncreated', 'unfunded', 'in_flight');

/** A workflow ends in these, in `unknown` as well. */
export const ENDED_PAYMENT_STATES = statesIn('ended');

/** The provider may still show a change: created there and not ended, or given up as unknown. */
export const OBSERVABLE_PAYMENT_STATES = paymentStatesWhere(({ payment }) => payment.isObserved);

/** The money has left the balance, and has not come back. */
export const MONEY_LEFT_PAYMENT_STATES = paymentStatesWhere(({ payment }) => payment.hasLeft);

/** The provider has completed it, whatever came back later. */
export const PAID_PAYMENT_STATES = paymentStatesWhere(({ payment }) => payment.wasPaid);

/** The provider has refused it, or could not carry it out. */
export const FAILED_PAYMENT_STATES = paymentStatesWhere(({ payment }) => payment.hasFailed);

/**
 * A second row that pays the same is a suspected duplicate. Rows of other states (rejected, failed, returned as a whole for certain) may be
 * owed still: they may be submitted again, under the same `row_ref`.
 */
export const COUNTED_PAYMENT_STATES = paymentStatesWhere(({ counts }) => counts.asDuplicate);

export function stageOfPayment(state: PaymentState): PaymentStage {
  return PAYMENT_STATE_TABLE[state].stage;
}

export function mayTransitionPayment(from: PaymentState, to: PaymentState): boolean {
  return PAYMENT_STATE_TABLE[from].next.includes(to);
}

export function isUncreated(state: PaymentState): boolean {
  return stageOfPayment(state) === 'uncreated';
}

export function isUnfunded(state: PaymentState): boolean {
  return stageOfPayment(state) === 'unfunded';
}

export function isInFlight(state: PaymentState): boolean {
  return stageOfPayment(state) === 'in_flight';
}

/** Created with the provider and not known to have ended. */
export function isWithProvider(state: PaymentState): boolean {
  return PROVIDER_PAYMENT_STATES.includes(state);
}

export function hasEnded(state: PaymentState): boolean {
  return stageOfPayment(state) === 'ended';
}

export function moneyHasLeft(state: PaymentState): boolean {
  return PAYMENT_STATE_TABLE[state].payment.hasLeft;
}

/** It is not paid, for certain, and never was. */
export function wasNeverPaid(state: PaymentState): boolean {
  const { counts, payment } = PAYMENT_STATE_TABLE[state];
  return counts.asUnpaid && !payment.wasPaid;
}

/** The provider has completed it, whatever came back later. */
export function wasPaid(state: PaymentState): boolean {
  return PAYMENT_STATE_TABLE[state].payment.wasPaid;
}

/** Each of these has an error code of its own, `provider_rejected` and `provider_failed`. */
export type FailedPaymentState = 'rejected' | 'failed';

export function hasFailed(state: PaymentState): state is FailedPaymentState {
  return PAYMENT_STATE_TABLE[state].payment.hasFailed;
}

/** The provider, or people in its place, have said how it ended. */
export function hasOutcome(state: PaymentState): state is FailedPaymentState | 'paid' | 'returned' {
  return wasPaid(state) || hasFailed(state);
}

/** How many rows are in each part of the progress of a run. */
export function countParts(rows: Readonly<Partial<Record<PaymentState, number>>>): Record<PaymentPart, number> {
  const counts = { paid: 0, in_flight: 0, waiting: 0, on_hold: 0, unknown: 0, not_paid: 0 };
  for (const state of PAYMENT_STATES) counts[PAYMENT_STATE_TABLE[state].progress.part] += rows[state] ?? 0;
  return counts;
}
