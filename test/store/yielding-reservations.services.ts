import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listAwaitingFunds } from '../../store/payments/awaiting-funds.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { anOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What is reserved for a run yields to rows that are due earlier, and to those of others while the run is stopped. */

let testDatabase: TestDatabase;
let world: LedgerWorld;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(100);
  await world.readHistory();
});

const firstOf = (run: number): string => world.runs[run]?.paymentIds[0] ?? '';

async function reservedFor(run: number): Promise<number> {
  const { rows } = await testDatabase.database.query<{ amount: string }>(
    `select ledger_amount($1, $2, 'run/' || $3)::text as amount`,
    [ACCOUNT, world.currency, world.runs[run]?.runId],
  );
  return Number(rows[0]?.amount);
}

test('rows that are due today are paid with what was reserved for rows that are due in three weeks', async () => {
  await world.approveRun([100], { payOn: inDays(21) });
  await world.approveRun([70]);
  expect([await reservedFor(0), await reservedFor(1)]).toEqual([30, 70]);
  await world.create(firstOf(1), 0, 'took_effect');
  expect(await world.fund(firstOf(1), 'answered')).toBe('funded');
});

test('rows that are due on the same day, or earlier, keep what is reserved for them', async () => {
  await world.approveRun([60]);
  await world.approveRun([40], { payOn: inDays(21) });
  await world.approveRun([90], { payOn: inDays(14) });
  expect([await reservedFor(0), await reservedFor(1), await reservedFor(2)]).toEqual([60, 0, 40]);
  await world.readHistory();
  expect([await reservedFor(0), await reservedFor(1), await reservedFor(2)]).toEqual([60, 0, 40]);
});

test('a run keeps what its own rows of that day take, and yields what its later rows would', async () => {
  const { database } = testDatabase;
  await world.approveRun([60, 40], { payOn: inDays(21) });
  await bypassTriggers(
    database,
    `update payments set instruction = instruction || jsonb_build_object('payOn', $2::text) where payment_id = $1`,
    [firstOf(0), inDays(7)],
  );
  await world.approveRun([90], { payOn: inDays(7) });
  expect([await reservedFor(0), await reservedFor(1)]).toEqual([60, 40]);
});

test('what is reserved for a stopped run is for others while it is stopped', async () => {
  const stopped = await world.approveRun([100]);
  await world.approveRun([70]);
  await world.create(firstOf(1), 0, 'took_effect');
  expect(await world.fund(firstOf(1), 'answered')).toBe('not_begun');
  await testDatabase.database.query(`insert into stops (scope, run_id) values ('run', $1)`, [stopped]);
  await world.readHistory();
  const woken = await listAwaitingFunds(testDatabase.asWorker, ACCOUNT, 'ledger', 10);
  expect(woken.filter(({ currency }) => currency === world.currency)).toMatchObject([{ paymentId: firstOf(1) }]);
  expect(await world.fund(firstOf(1), 'answered')).toBe('funded');
});

function inDays(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}
