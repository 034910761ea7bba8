import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { LedgerWorld } from './ledger-world.ts';

/** Money that comes for runs, such as what was bought for them, is theirs in the order in which their rows are due. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

async function reservedFor(world: LedgerWorld, runId: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ amount: number }>(
    `select amount::float8 as amount from ledger_balances where currency = $1 and ledger_account = 'run/' || $2`,
    [world.currency, runId],
  );
  return rows[0]?.amount ?? 0;
}

async function freeIn(world: LedgerWorld): Promise<number> {
  const { rows } = await testDatabase.database.query<{ amount: number }>(
    `select amount::float8 as amount from ledger_balances where currency = $1 and ledger_account = 'free'`,
    [world.currency],
  );
  return rows[0]?.amount ?? 0;
}

test('a credit goes to the runs by the dates of their rows, then by their start, and only the rest is free', async () => {
  const world = new LedgerWorld(testDatabase, 'DUE');
  world.change(1);
  await world.readHistory();
  const late = await world.approveRun([100], { payOn: '2099-03-01' });
  const soon = await world.approveRun([100], { payOn: '2099-01-01' });
  const alsoSoon = await world.approveRun([100], { payOn: '2099-01-01' });
  const atOnce = await world.approveRun([100]);
  const reserved = () => Promise.all([atOnce, soon, alsoSoon, late].map((runId) => reservedFor(world, runId)));
  // The one coin that was there went to the first that was approved, and from there to what is due earlier.
  expect(await reserved()).toEqual([1, 0, 0, 0]);
  world.change(149);
  await world.readHistory();
  expect([await reserved(), await freeIn(world)]).toEqual([[100, 50, 0, 0], 0]);
  world.change(151);
  await world.readHistory();
  expect([await reserved(), await freeIn(world)]).toEqual([[100, 100, 100, 1], 0]);
  world.change(100);
  await world.readHistory();
  expect([await reserved(), await freeIn(world)]).toEqual([[100, 100, 100, 100], 1]);
});
