import { afterAll, beforeAll, expect, test } from 'vitest';
import { readKnownMoney } from '../../store/accounts/ledger.ts';
import { type FundsSource, listAwaitingFunds } from '../../store/payments/awaiting-funds.ts';
import { saveBalances } from '../../store/payments/balance-snapshots.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { beginRequest } from '../../store/payments/payment-requests.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { TEST_KEY_IDS } from '../helpers/test-data-keys.ts';

/** What a payment waits for where the ledger decides, and for what it does not. */

let testDatabase: TestDatabase;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());

let worlds = 0;

async function aWorldWith(balance: number): Promise<LedgerWorld> {
  worlds += 1;
  const world = new LedgerWorld(
    testDatabase,
    `W${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`,
  );
  world.change(balance);
  await world.readHistory();
  return world;
}

const firstOf = (world: LedgerWorld, run = 0): string => world.runs[run]?.paymentIds[0] ?? '';

const wokenOf = async (world: LedgerWorld, by: FundsSource = 'ledger'): Promise<string[]> =>
  (await listAwaitingFunds(testDatabase.asWorker, ACCOUNT, by, 10))
    .filter(({ currency }) => currency === world.currency)
    .map(({ paymentId }) => paymentId);

const ago = (minutes: number) =>
  testDatabase.database.query(`update history_ranges set read_at = read_at - make_interval(mins => $1)`, [minutes]);

test('a payment is woken when exactly its money is there, although the provider computes with floats', async () => {
  const world = await aWorldWith(1);
  await world.approveRun([100]);
  await world.create(firstOf(world), 0, 'took_effect');
  await bypassTriggers(
    testDatabase.database,
    'update payments set total_amount = 100.30000000000001 where payment_id = $1',
    [firstOf(world)],
  );
  expect(await world.fund(firstOf(world), 'answered')).toBe('not_begun');
  world.change(99.3);
  await world.readHistory();
  expect(await wokenOf(world)).toEqual([firstOf(world)]);
});

test('what a payment costs more by its creation is reserved for it, before runs that were started later', async () => {
  const world = await aWorldWith(100);
  await world.approveRun([90]);
  await world.approveRun([500]);
  await world.create(firstOf(world), 0, 'took_effect');
  await bypassTriggers(testDatabase.database, 'update payments set total_amount = 95 where payment_id = $1', [
    firstOf(world),
  ]);
  expect(await world.fund(firstOf(world), 'answered')).toBe('not_begun');
  world.change(20);
  await world.readHistory();
  expect(await wokenOf(world)).toEqual([firstOf(world)]);
  expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
});

test('what runs lack is shown as committed: money that arrives is theirs before a later run gets some', async () => {
  const world = await aWorldWith(100);
  await world.approveRun([60]);
  await world.approveRun([70]);
  const known = (await readKnownMoney(testDatabase.asWorker, ACCOUNT)).find((of) => of.currency === world.currency);
  expect([Number(known?.balance), Number(known?.committed)]).toEqual([100, 130]);
});

test('a payment that was refused is woken by no balance that is meant for others', async () => {
  const world = await aWorldWith(100);
  await world.approveRun([100]);
  await world.approveRun([50]);
  await world.create(firstOf(world, 1), 0, 'took_effect');
  await ago(31);
  world.balance = 0;
  expect(await world.fund(firstOf(world, 1), 'answered')).toBe('refused_for_money');
  world.balance = 100;
  await ago(-31);
  const { asWorker } = testDatabase;
  const readBalance = async (): Promise<void> =>
    saveBalances(asWorker, ACCOUNT, await beginReading(asWorker), [
      { currency: world.currency, amount: String(world.balance) },
    ]);
  await readBalance();
  expect(await wokenOf(world, 'balances')).toEqual([]);
  world.change(50);
  await world.readHistory();
  await readBalance();
  expect(await wokenOf(world, 'balances')).toEqual([firstOf(world, 1)]);
  expect(await world.fund(firstOf(world, 1), 'answered')).toBe('funded');
});

test('a payment whose money is not there keeps none from others', async () => {
  const world = await aWorldWith(10);
  await world.approveRun([20]);
  await world.create(firstOf(world), 0, 'took_effect');
  await ago(31);
  const { asWorker } = testDatabase;
  const intent = {
    paymentId: firstOf(world),
    operation: 'fund',
    whileIn: ['created'],
    at: new Date('2026-01-31'),
    dataKeys: TEST_KEY_IDS,
  } as const;
  const { requestId } = await beginRequest(asWorker, intent);
  await ago(-31);
  // Refused, but nobody knows yet whether it was for money.
  await world.readHistory();
  expect(await world.ledger()).toMatchObject({ payment: 20, run: 0, free: -10 });
  const refused = { outcome: 'refused', to: 'awaiting_funds', update: {} } as const;
  await resolveOpenRequest(asWorker, { requestId: requestId ?? '', ...refused });
  expect(await world.ledger()).toMatchObject({ payment: 0, run: 0, free: 10 });
  await world.readHistory();
  expect(await world.ledger()).toMatchObject({ payment: 0, run: 10, free: 0 });
  world.change(10);
  await world.readHistory();
  expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
});

test('nobody waits for a ledger of which an entry is missing for half an hour: the provider decides', async () => {
  const world = await aWorldWith(10);
  await world.approveRun([20]);
  await world.create(firstOf(world), 0, 'took_effect');
  // The arrival of 50 is missing before the one of 1: it may be read, but never is.
  world.change(50);
  world.change(1);
  world.entries.splice(1, 1);
  await world.readHistory();
  expect(await world.fund(firstOf(world), 'answered')).toBe('not_begun');
  await bypassTriggers(
    testDatabase.database,
    `update balance_chains set gap_since = gap_since - interval '31 minutes' where currency = $1`,
    [world.currency],
  );
  await world.readHistory();
  expect(await world.fund(firstOf(world), 'answered')).toBe('funded');
});
