import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anApprovedRun } from './a-stored-run.ts';

const MIGRATION = new URL('../../store/database/migrations/0060_reason-codes.sql', import.meta.url);

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

test('a row that was held by the former code has the new one after the migration, and others keep theirs', async () => {
  const { paymentIds } = await anApprovedRun(testDatabase.database, 2);
  for (const [index, code] of ['no_money_in_time', 'quote_differs'].entries()) {
    await bypassTriggers(
      testDatabase.database,
      `update payments set state = 'held', error_code = $2 where payment_id = $1`,
      [paymentIds[index], code],
    );
  }
  await testDatabase.database.query(readFileSync(MIGRATION, 'utf8'));
  const { rows } = await testDatabase.database.query<{ code: string }>(
    'select error_code as code from payments order by error_code',
  );
  expect(rows.map(({ code }) => code)).toEqual(['funds_not_received_in_time', 'quote_differs']);
});
