import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aStoredRun } from './a-stored-run.ts';

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

/** As the planner takes it to be. */
async function knownRows(): Promise<number> {
  const { rows } = await testDatabase.database.query<{ count: number }>(
    `select reltuples::int as count from pg_class where oid = 'payments'::regclass`,
  );
  return rows[0]?.count ?? Number.NaN;
}

test('a large submission is known to the planner once it is there, and a small one is not asked for', async () => {
  await aStoredRun(testDatabase.database, 10);
  expect(await knownRows()).toBe(-1);
  await aStoredRun(testDatabase.database, 1_000);
  expect(await knownRows()).toBe(1_010);
});
