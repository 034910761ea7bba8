import { afterAll, beforeAll, expect, test } from 'vitest';
import { VIRTUAL_ACCOUNT_STATES, virtualAccountStatesWhere } from '../../domain/accounts/virtual-account-state.ts';
import { DELIVERY_STATES, OPEN_DELIVERY_STATES } from '../../domain/notifications/delivery-state.ts';
import { caseStatesWhere } from '../../domain/onboarding/case-state.ts';
import {
  FAILED_PAYMENT_STATES,
  OBSERVABLE_PAYMENT_STATES,
  PROVIDER_PAYMENT_STATES,
  paymentStatesWhere,
  SENDING_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';
import {
  BLOCKING_OUTCOMES,
  PAYMENT_OPERATION_TABLE,
  PAYMENT_OPERATIONS,
  REQUEST_OUTCOMES,
} from '../../domain/payments/request-result.ts';
import { MANUAL_OUTCOME_STATES, manualOutcomeStatesOf } from '../../domain/payments/manual-outcome-state.ts';
import { BREAK_STATES, UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import { statesWhere } from '../../domain/state-table.ts';
import { OPEN_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/**
 * Constraints and conditions of indexes have states in words: a function there would keep the answer that it gave when the
 * table was made. They are those of the tables of the domain all the same.
 */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const waitsFor = (...of: (string | null)[]): readonly string[] =>
  paymentStatesWhere(({ progress }) => of.includes(progress.waitsFor));

/** By constraint or index, and column. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  'case_requests_outcome_check outcome': REQUEST_OUTCOMES,
  'case_manual_outcomes_state_check state': manualOutcomeStatesOf('case'),
  'conversion_requests_operation_check operation': PAYMENT_OPERATIONS,
  'conversion_requests_outcome_check outcome': REQUEST_OUTCOMES,
  'conversion_manual_outcomes_state_check state': manualOutcomeStatesOf('conversion'),
  'deliveries_state_check state': DELIVERY_STATES,
  'explained_by_somebody state': BREAK_STATES.filter((state) => state !== 'open' && state !== 'gone'),
  'one_conversion_request operation': statesWhere(PAYMENT_OPERATION_TABLE, ({ isNonIdempotent }) => !isNonIdempotent),
  'one_conversion_request outcome': BLOCKING_OUTCOMES,
  'one_open_order_of_a_pair state': OPEN_CONVERSION_STATES,
  'one_sign_up_of_a_mail_address state': caseStatesWhere(({ signUp }) => !signUp.blocksAnother),
  'one_that_took_effect outcome': BLOCKING_OUTCOMES,
  'open_conversion_requests operation': statesWhere(PAYMENT_OPERATION_TABLE, ({ isNonIdempotent }) => !isNonIdempotent),
  'open_deliveries state': OPEN_DELIVERY_STATES,
  'open_virtual_accounts state': virtualAccountStatesWhere(({ isOpen }) => isOpen),
  'payments_with_webhook state': OBSERVABLE_PAYMENT_STATES,
  'payments_in_flight state': PROVIDER_PAYMENT_STATES.filter((state) => state !== 'awaiting_funds'),
  'payments_that_failed state': FAILED_PAYMENT_STATES,
  'payments_to_be_sent state': SENDING_PAYMENT_STATES,
  'payments_waiting state': waitsFor('person', 'money'),
  'reconciliation_breaks_state_check state': BREAK_STATES,
  'payment_manual_outcomes_state_check state': MANUAL_OUTCOME_STATES,
  'run_counts_for_people state': waitsFor('person'),
  'unclosed_breaks state': UNRESOLVED_BREAK_STATES,
  'virtual_account_requests_outcome_check outcome': REQUEST_OUTCOMES,
  'virtual_account_manual_outcomes_state_check state': manualOutcomeStatesOf('virtual_account'),
  'virtual_accounts_state_check state': VIRTUAL_ACCOUNT_STATES,
};

/** Columns with states, outcomes or operations of which the domain has a table. Comparisons with one state mean that state. */
const OF_A_TABLE: Readonly<Record<string, readonly string[]>> = {
  payments: ['state'],
  run_counts: ['state'],
  runs: ['state'],
  conversion_orders: ['state'],
  cases: ['state'],
  virtual_accounts: ['state'],
  deliveries: ['state'],
  reconciliation_breaks: ['state'],
  payment_manual_outcomes: ['state'],
  case_manual_outcomes: ['state'],
  conversion_manual_outcomes: ['state'],
  virtual_account_manual_outcomes: ['state'],
  provider_requests: ['outcome', 'answer', 'operation'],
  conversion_requests: ['outcome', 'answer', 'operation'],
  case_requests: ['outcome', 'answer'],
  virtual_account_requests: ['outcome', 'answer'],
};

/** `state = ANY (ARRAY['a'::text, 'b'::text])`, or `outcome = 'a'::text`. */
const COMPARISON = /\b(\w+) (?:=|<>) (?:(?:ANY|ALL) \(ARRAY\[([^\]]*)\]\)|('\w+')::text)/g;

test('every list of states in a constraint or the condition of an index is that of the domain', async () => {
  const { rows } = await testDatabase.database.query<{ table: string; name: string; text: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as text from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace
     union all
     select indrelid::regclass::text, indexrelid::regclass::text, pg_get_expr(indpred, indrelid) from pg_index
     join pg_class on pg_class.oid = indrelid where relnamespace = 'public'::regnamespace and indpred is not null`,
  );
  const found = rows.flatMap(({ table, name, text }) =>
    [...text.matchAll(COMPARISON)].flatMap(([, column = '', list, one]) => {
      const key = `${name} ${column}`;
      if (OF_A_TABLE[table]?.includes(column) !== true || (list === undefined && EXPECTED[key] === undefined))
        return [];
      return [[key, [...(list ?? one ?? '').matchAll(/'(\w+)'/g)].map(([, state = '']) => state).sort()] as const];
    }),
  );
  const expected = Object.entries(EXPECTED).map(([key, states]) => [key, [...states].sort()]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
});
