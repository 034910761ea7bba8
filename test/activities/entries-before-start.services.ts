import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeHistory } from '../../activities/accounts/store-history.ts';
import { listChains } from '../../store/accounts/balance-chains.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aHistory, type Shown } from './a-history.ts';

/** Entries that the provider lists later, and that are of before the start of the history that is kept. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

const store = (account: string, entries: readonly Shown[], isGapRead = false) =>
  storeHistory(testDatabase.asWorker, { account, isGapRead }, entries);

let accounts = 0;
const anAccount = (): string => `account-${(accounts += 1)}`;

test('entries of before the start that are listed later never get a place', async () => {
  const [early, start, next, last] = aHistory(
    [5, -10, 20, 30].map((change, index) => ({ change, pauseMs: index === 1 ? 1_000 : 60_000 })),
    'EUR',
  );
  if (early === undefined || start === undefined || next === undefined || last === undefined) throw new Error();
  const account = anAccount();
  await store(account, [start, next]);
  await store(account, [early]);
  expect((await listChains(testDatabase.asServer, account))[0]).toMatchObject({ lastAmount: '1015', gap: null });
  await store(account, [last]);
  expect((await listChains(testDatabase.asServer, account))[0]).toMatchObject({ lastAmount: '1045', gap: null });
  const { rows } = await testDatabase.database.query(
    'select position, disregarded from balance_entries where account = $1 and entry_id = $2',
    [account, early.id],
  );
  expect(rows).toEqual([{ position: null, disregarded: 'before_start' }]);
});

test('an entry that may be of before the start, as it has its date, is not placed last after a day', async () => {
  const [early, start, next, last] = aHistory(
    [5, -10, 20, 30].map((change, index) => ({ change, pauseMs: index === 1 ? 0 : 60_000 })),
    'EUR',
  );
  if (early === undefined || start === undefined || next === undefined || last === undefined) throw new Error();
  for (const after of [[], [last]]) {
    const account = anAccount();
    await store(account, [start, next]);
    await store(account, [early]);
    expect((await listChains(testDatabase.asServer, account))[0]?.gap).not.toBeNull();
    const aDayAgo = `update balance_chains set gap_since = now() - interval '25 hours' where account = $1`;
    await bypassTriggers(testDatabase.database, aDayAgo, [account]);
    await store(account, after, true);
    const lastAmount = after.length === 0 ? '1015' : '1045';
    expect((await listChains(testDatabase.asServer, account))[0]).toMatchObject({ lastAmount, gap: null });
  }
});
