import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tableUnder } from '../helpers/document-tables.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** Every function that acts in a user's name asks for a second factor where the policy does, or is listed here with the reason why not. */

const IT_IS_ONES_OWN =
  'it is about the own sign-in, which `authorize_sign_in_change` asks of, or shows a factor itself';
const SOMEBODY_DECIDES = 'it proposes or prepares, and another person decides on it with a second factor';
const IT_HOLDS_BACK =
  'it keeps money where it is, or takes something away: an attacker gains nothing by it, and who defends must be quick';
const IT_READS = 'it reads, or notes what was read or used';
const IT_IS_OF_THE_BOOKS = 'it says what was found in the books, and moves no money';
const IT_ONBOARDS = 'it moves no money, and what becomes of a sign-up that is not known is said by two';
const WITHOUT: Readonly<Record<string, string>> = {
  ...reason(
    IT_IS_ONES_OWN,
    'add_passkey',
    'begin_passkey_step_up',
    'begin_password_change',
    'begin_totp_try',
    'confirm_totp',
  ),
  ...reason(IT_IS_ONES_OWN, 'step_up_with_passkey', 'step_up_with_totp'),
  ...reason(SOMEBODY_DECIDES, 'add_beneficiary_accounts', 'add_run', 'add_schedule', 'edit_schedule', 'send_run'),
  ...reason(SOMEBODY_DECIDES, 'propose_case_manual_outcome'),
  ...reason(SOMEBODY_DECIDES, 'propose_conversion_manual_outcome', 'propose_manual_outcome', 'propose_virtual_account'),
  ...reason(IT_HOLDS_BACK, 'delete_schedule', 'pause_schedule', 'stop_payments', 'withdraw_case', 'withdraw_run'),
  ...reason(IT_HOLDS_BACK, 'reject_case_manual_outcome', 'reject_conversion_manual_outcome', 'reject_manual_outcome'),
  ...reason(IT_HOLDS_BACK, 'end_beneficiary_accounts', 'reject_virtual_account'),
  ...reason(IT_READS, 'allowed_actions', 'note_case_export', 'note_read', 'note_refused_file', 'note_use', 'use_daily'),
  ...reason(IT_IS_OF_THE_BOOKS, 'assign_break', 'assign_receipt', 'close_break', 'explain_break', 'reopen_break'),
  ...reason(IT_IS_OF_THE_BOOKS, 'sign_book_day', 'sign_opening'),
  ...reason(IT_ONBOARDS, 'add_cases', 'add_case_document', 'resume_sign_ups', 'retry_case', 'supply_case'),
  ...reason('money only comes in by a virtual account', 'request_virtual_account'),
  ...reason('it sends again what two have let be sent', 'retry_delivery'),
};

function reason(why: string, ...functions: string[]): Record<string, string> {
  return Object.fromEntries(functions.map((name) => [name, why]));
}

let testDatabase: TestDatabase;
let sources: ReadonlyMap<string, string>;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const { rows } = await testDatabase.database.query<{ name: string; source: string }>(
    `select proname as name, prosrc as source from pg_proc where pronamespace = 'public'::regnamespace`,
  );
  sources = new Map(rows.map(({ name, source }) => [name, source]));
});
afterAll(() => testDatabase.drop());

const ASKS =
  /authorize_change\(|authorize_by_second_factor\(|authorize_for_endpoint\(|authorize_sign_in_change\(|authorize_ending\(/;
const BY_TOKEN = tableUnder('database-functions.md', 'Called by processes')
  .filter((row) => row['asks for a token hash'] === 'yes')
  .map((row) => row['function'] ?? '');

describe('a second factor', () => {
  test.each(BY_TOKEN)('is asked for by %s, unless there is a reason', (name) => {
    expect([name, ASKS.test(sources.get(name) ?? '')]).toEqual([name, WITHOUT[name] === undefined]);
  });

  test('is not left out by a function that is not there', () => {
    expect(Object.keys(WITHOUT).filter((name) => !BY_TOKEN.includes(name))).toEqual([]);
  });
});
