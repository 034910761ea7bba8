import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import { storeFundings } from '../../store/accounts/fundings.ts';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { endOrderWithCredit } from '../../store/treasury/order-credit.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listRefundsAs, explainReceiptsAs } from './refunds-under-test.ts';

/** A receipt explains one thing: the money that a conversion bought, or what else brought the same amount. */

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** A conversion that the provider shows as completed, and whose bought money was not seen yet. */
async function aCompletedOrder(world: LedgerWorld, buyAmount: string): Promise<string> {
  const order = { sellCurrency: `S${world.currency.slice(1)}`, buyCurrency: world.currency };
  const { orderId } = await aStoredOrder(testDatabase, treasurer, 'completed', { ...order, hasConversion: true });
  await bypassTriggers(
    testDatabase.database,
    'update conversion_orders set buy_amount = $2, completed_at = clock_timestamp(), created_at = clock_timestamp() where order_id = $1',
    [orderId, buyAmount],
  );
  return orderId;
}

async function arrive(world: LedgerWorld, amount: number): Promise<void> {
  world.change(amount);
  await world.readHistory();
  await listRefundsAs(testDatabase);
  await explainReceiptsAs(testDatabase);
}

async function explanationsOf({ currency }: LedgerWorld, of = 250): Promise<(string | null)[]> {
  const receipts = await listReceipts(testDatabase.asServer, { accounts: [ACCOUNT], currency, all: true, limit: 100 });
  return receipts.filter(({ amount }) => Number(amount) === of).map(({ explainedBy }) => explainedBy);
}

async function aWorld(currency: string): Promise<LedgerWorld> {
  const world = new LedgerWorld(testDatabase, currency);
  world.change(10_000);
  await world.readHistory();
  return world;
}

test('of the amount that a conversion bought is not taken for a deposit, and the next one is that of the deposit', async () => {
  const world = await aWorld('QCA');
  const orderId = await aCompletedOrder(world, '250.00');
  const deposit = { transactionId: 'd1', amount: '250', status: 'completed', virtualAccountId: null };
  await reportDeposit(testDatabase.asServer, ACCOUNT, { ...deposit, accountNumber: null });
  await arrive(world, 250);
  expect(await explanationsOf(world)).toEqual([null]);
  await expect(endOrderWithCredit(testDatabase.asWorker, orderId)).resolves.toBe(true);
  await explainReceiptsAs(testDatabase);
  expect(await explanationsOf(world)).toEqual(['conversion']);
  await arrive(world, 250);
  expect((await explanationsOf(world)).sort()).toEqual(['conversion', 'deposit']);
});

/** Each has an amount of its own: a deposit does not say its currency. */
test.each<[ConversionState, boolean, number, 'deposit' | null]>([
  ['committed', false, 301, 'deposit'],
  ['created', true, 302, 'deposit'],
  ['funded', true, 303, null],
  ['unknown', false, 304, null],
  ['held', true, 305, null],
  ['lapsed', true, 306, null],
  ['held', false, 307, 'deposit'],
  ['rejected', false, 308, 'deposit'],
])('of what an order buys that is %s (created: %s), %d, is explained as %s', async (...of) => {
  const [state, hasConversion, amount, explanation] = of;
  const world = await aWorld(`Q${state.charAt(0)}${hasConversion ? 'Y' : 'N'}`.toUpperCase());
  const orderId = await aCompletedOrder(world, `${amount}.00`);
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set state = $2, ended_at = clock_timestamp(),
       conversion_id = case when $3::boolean then conversion_id end where order_id = $1`,
    [orderId, state, hasConversion],
  );
  const deposit = { transactionId: orderId, amount: String(amount), status: 'completed', virtualAccountId: null };
  await reportDeposit(testDatabase.asServer, ACCOUNT, { ...deposit, accountNumber: null });
  await arrive(world, amount);
  expect(await explanationsOf(world, amount)).toEqual([explanation]);
});

test('that a funding explains is not taken for what a conversion bought', async () => {
  const world = await aWorld('QCB');
  const readAt = await beginReading(testDatabase.asWorker);
  const funding = { id: randomUUID(), balanceId: null, currency: world.currency, amount: '250', reference: 'F' };
  await storeFundings(testDatabase.asWorker, ACCOUNT, [{ ...funding, status: 'pending' }], { readAt, pass: null });
  const orderId = await aCompletedOrder(world, '250.00');
  await bypassTriggers(testDatabase.database, `update conversion_orders set state = 'quoted' where order_id = $1`, [
    orderId,
  ]);
  await storeFundings(testDatabase.asWorker, ACCOUNT, [{ ...funding, status: 'completed' }], {
    readAt: await beginReading(testDatabase.asWorker),
    pass: null,
  });
  await arrive(world, 250);
  expect(await explanationsOf(world)).toEqual(['funding']);
  await bypassTriggers(testDatabase.database, `update conversion_orders set state = 'completed' where order_id = $1`, [
    orderId,
  ]);
  await expect(endOrderWithCredit(testDatabase.asWorker, orderId)).resolves.toBe(false);
  await arrive(world, 250);
  await expect(endOrderWithCredit(testDatabase.asWorker, orderId)).resolves.toBe(true);
  expect((await explanationsOf(world)).sort()).toEqual(['conversion', 'funding']);
});
