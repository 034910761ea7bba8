import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, inTransaction, openDatabase } from '../../store/database/database.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';

/** An unhandled error event would end the process, here the test run. */

let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const options = { role: 'payrun_worker', maxConnections: 2, applicationName: 'loses its connections' } as const;
  database = openDatabase(testDatabase.url, options);
});
afterAll(async () => {
  await database.end();
  await testDatabase.drop();
});

/** Ends every connection of the pool from outside, and waits until the pool has noticed. */
async function endConnections(): Promise<void> {
  await testDatabase.database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'loses its connections'`,
  );
  await new Promise((resolve) => setTimeout(resolve, 200));
}

test('a connection that is lost within a transaction fails only that transaction', async () => {
  const lost = inTransaction(database, async (transaction) => {
    await transaction.query('select 1');
    await endConnections();
    await transaction.query('select 2');
  });
  await expect(lost).rejects.toThrow();
  expect((await database.query('select 3 as n')).rows).toEqual([{ n: 3 }]);
});

test('a connection that is lost while idle is replaced', async () => {
  await database.query('select 1');
  await endConnections();
  expect((await database.query('select 2 as n')).rows).toEqual([{ n: 2 }]);
});

test('every statement has a timeout', async () => {
  expect((await database.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '5min' }]);
});
