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
  quote_seal?: string | null;
  documents_required?: boolean;
  provider_payment_id?: string;
  payment_seal?: string;
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

const UPDATE_COLUMNS = [
  'beneficiary_id',
  'reference_id',
  'quote_id',
  'quote_expires_at',
  'quote_seal',
  'documents_required',
  'provider_payment_id',
  'payment_seal',
  'provider_status',
  'provider_created_at',
  'sell_amount',
  'buy_amount',
  'rate',
  'fee',
  'total_amount',
  'error_code',
  'error_message',
  'quoted_at',
  'created_at',
  'funded_at',
  'awaiting_since',
  'funding_cutoff_at',
  'ended_at',
] as const satisfies readonly (keyof PaymentUpdate)[];

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
