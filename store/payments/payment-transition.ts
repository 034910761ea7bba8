import type { PaymentErrorCode, ProviderErrorCode } from '../../domain/payments/payment-error-codes.ts';
import {
  isUnfunded,
  mayTransitionPayment,
  PAYMENT_STATES,
  type PaymentState,
} from '../../domain/payments/payment-state.ts';

/** New values of a payment's fields. Amounts are decimal strings; a field that is not given stays as it is. */
export interface PaymentUpdate {
  beneficiary_id?: string;
  reference_id?: string;
  quote_id?: string | null;
  quote_expires_at?: Date | null;
  quote_mac?: string | null;
  documents_required?: boolean;
  provider_payment_id?: string;
  payment_mac?: string;
  provider_status?: string;
  provider_created_at?: Date | null;
  sell_amount?: string;
  buy_amount?: string;
  rate?: string;
  fee?: string;
  total_amount?: string;
  error_code?: PaymentErrorCode | ProviderErrorCode | null;
  error_message?: string | null;
  quoted_at?: Date;
  created_at?: Date;
  funded_at?: Date;
  awaiting_since?: Date;
  funding_cutoff_at?: Date | null;
  ended_at?: Date;
}

const UPDATED: Readonly<Record<keyof PaymentUpdate, true>> = {
  beneficiary_id: true,
  reference_id: true,
  quote_id: true,
  quote_expires_at: true,
  quote_mac: true,
  documents_required: true,
  provider_payment_id: true,
  payment_mac: true,
  provider_status: true,
  provider_created_at: true,
  sell_amount: true,
  buy_amount: true,
  rate: true,
  fee: true,
  total_amount: true,
  error_code: true,
  error_message: true,
  quoted_at: true,
  created_at: true,
  funded_at: true,
  awaiting_since: true,
  funding_cutoff_at: true,
  ended_at: true,
};

/** The worker's right to update a payment follows. */
export const UPDATE_COLUMNS = Object.keys(UPDATED) as (keyof PaymentUpdate)[];

export interface PaymentTransition {
  /** Null: the state stays, only fields are updated. */
  to: PaymentState | null;
  update?: PaymentUpdate;
}

const STAYS_GIVEN_UP = "when payments.state = 'unknown' then 'unknown'";

/**
 * The `set` list of a transition, and the states that it may start from. The same state is among them, so repeating a
 * transition is not an error. `firstParameter` is the number of the first value in the statement. With `staysGivenUp`, an
 * unknown payment keeps its state instead of becoming unfunded, and only its fields are updated: its workflow is gone and
 * its run may have ended, so nobody would fund it.
 */
export function transitionStatement(
  transition: PaymentTransition,
  firstParameter: number,
  { staysGivenUp = false } = {},
): { set: string; from: PaymentState[]; values: unknown[] } {
  const values: unknown[] = [];
  const assignments = ['changed_at = clock_timestamp()'];
  const add = (column: string, value: unknown, unless = ''): void => {
    const parameter = `$${firstParameter + values.length}`;
    assignments.push(`${column} = ${unless === '' ? parameter : `case ${unless} else ${parameter} end`}`);
    values.push(value);
  };
  const { to } = transition;
  if (to !== null) add('state', to, staysGivenUp && isUnfunded(to) ? STAYS_GIVEN_UP : '');
  for (const column of UPDATE_COLUMNS) {
    const value = transition.update?.[column];
    if (value !== undefined) add(column, value);
  }
  const from =
    to === null
      ? [...PAYMENT_STATES]
      : PAYMENT_STATES.filter((state) => state === to || mayTransitionPayment(state, to));
  return { set: assignments.join(', '), from, values };
}
