import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listReceipts } from '../../store/accounts/receipt-views.ts';
import { assignReceiptAs } from '../../store/accounts/receipts.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { endOrderWithCredit } from '../../store/treasury/order-credit.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import {
  arrive,
  listFundingsAs,
  listRefundsAs,
  pay,
  refundOf,
  returnsOf,
  explainReceiptsAs,
} from './refunds-under-test.ts';

/** Money of the amount of a refund that is, or may be, something else: who is told that a payment came back may pay it again. */

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

let worlds = 0;

/** A currency of its own, with enough money and paid payments of 100 each. */
async function paidPayments(count: number): Promise<{ world: LedgerWorld; paymentIds: string[] }> {
  worlds += 1;
  const world = new LedgerWorld(
    testDatabase,
    `U${String.fromCharCode(65 + Math.floor(worlds / 26), 65 + (worlds % 26))}`,
  );
  world.change(100_000);
  await world.readHistory();
  if (count > 0) await world.approveRun(Array.from({ length: count }, () => 100));
  const paymentIds = world.runs[0]?.paymentIds ?? [];
  for (const paymentId of paymentIds) await pay(world, paymentId);
  return { world, paymentIds };
}

const stateOf = async (paymentId: string) => (await returnsOf(testDatabase, [paymentId]))[0];
const STAYS_PAID = { state: 'paid', returned: null };
const IS_RETURNED = { state: 'returned', returned: 100 };

const daysAgo = (days: number): string => `clock_timestamp() - interval '${days} days'`;
const wasFundedAt = (world: LedgerWorld, at: string) =>
  bypassTriggers(
    testDatabase.database,
    `with moved as (update payments set funded_at = ${at}, created_at = ${at}, quoted_at = ${at} where sell_currency = $1 returning payment_id)
     update provider_requests set begun_at = ${at} where payment_id in (select payment_id from moved)`,
    [world.currency],
  );
const receiptsCameAt = (world: LedgerWorld, at: string) =>
  testDatabase.database.query(`update receipts set dated_at = ${at} where currency = $1 and amount = 100`, [
    world.currency,
  ]);

describe('a payment stays paid', () => {
  test('by money that came after the refunds were listed: it may be that of one that is not known yet', async () => {
    const { world, paymentIds } = await paidPayments(2);
    const refunds = await Promise.all(paymentIds.map((id) => refundOf(testDatabase, world, id, '100')));
    await listRefundsAs(testDatabase, ...refunds.slice(0, 1));
    await arrive(world, 100);
    await listFundingsAs(testDatabase);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, paymentIds)).toEqual([STAYS_PAID, STAYS_PAID]);
    await listRefundsAs(testDatabase, ...refunds);
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, paymentIds)).toEqual([STAYS_PAID, STAYS_PAID]);
  });

  test('by money of its amount that came days before its refund was announced', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    await wasFundedAt(world, daysAgo(40));
    await arrive(world, 100);
    await receiptsCameAt(world, daysAgo(20));
    const refund = await refundOf(testDatabase, world, paymentId, '100');
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
    await arrive(world, 100);
    await listRefundsAs(testDatabase, refund);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
  });

  test('by money of its amount that comes a month after its refund was announced and did not come', async () => {
    const { world, paymentIds } = await paidPayments(2);
    const [failed = '', later = ''] = paymentIds;
    const refunds = [await refundOf(testDatabase, world, failed, '100')];
    await listRefundsAs(testDatabase, ...refunds);
    await testDatabase.database.query(`update refunds set first_seen_at = ${daysAgo(31)} where currency = $1`, [
      world.currency,
    ]);
    await arrive(world, 100);
    await listRefundsAs(testDatabase, ...refunds);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(failed)).toEqual(STAYS_PAID);
    // Another refund of the amount does not wait for it either.
    await listRefundsAs(testDatabase, ...refunds, await refundOf(testDatabase, world, later, '100'));
    await explainReceiptsAs(testDatabase);
    expect(await returnsOf(testDatabase, paymentIds)).toEqual([STAYS_PAID, IS_RETURNED]);
  });

  test('by old money of its amount, if nobody recorded when it was funded', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    await arrive(world, 100);
    await receiptsCameAt(world, `clock_timestamp() - interval '1 day'`);
    await bypassTriggers(testDatabase.database, 'delete from provider_requests where payment_id = $1', [paymentId]);
    await bypassTriggers(testDatabase.database, 'update payments set funded_at = null where payment_id = $1', [
      paymentId,
    ]);
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
  });

  test('by the money of another refund, whose payment is not one of payrun: old money is not that of the other one', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    await wasFundedAt(world, daysAgo(2));
    await arrive(world, 100);
    await receiptsCameAt(world, daysAgo(100));
    await arrive(world, 100);
    const ours = await refundOf(testDatabase, world, paymentId, '100');
    const other = { ...ours, id: randomUUID(), resourceId: randomUUID() };
    await listRefundsAs(testDatabase, ours, other);
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
  });

  test('by what the provider gives back of a payment that failed, if it shows no refund of that', async () => {
    for (const transactionId of [null, 'same']) {
      const { world, paymentIds } = await paidPayments(1);
      const [paymentId = ''] = paymentIds;
      await world.approveRun([100]);
      const failing = world.runs[1]?.paymentIds[0] ?? '';
      await world.create(failing, 0, 'took_effect');
      await world.fund(failing, 'answered');
      await world.end(failing, 'failed');
      const gaveBack = world.entries.at(-1);
      const taken = world.entries.at(-2);
      if (gaveBack !== undefined && taken !== undefined) Object.assign(gaveBack, { transactionId });
      if (taken !== undefined) Object.assign(taken, { transactionId });
      await world.readHistory();
      const refund = await refundOf(testDatabase, world, paymentId, '100');
      await listRefundsAs(testDatabase, refund);
      await explainReceiptsAs(testDatabase);
      expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
      await arrive(world, 100);
      await listRefundsAs(testDatabase, refund);
      await explainReceiptsAs(testDatabase);
      expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
    }
  });
});

/** A conversion that buys 100 in the world's currency. */
async function anOrder(world: LedgerWorld, state: ConversionState): Promise<string> {
  const pair = { sellCurrency: `V${world.currency.slice(1)}`, buyCurrency: world.currency };
  const { orderId } = await aStoredOrder(testDatabase, treasurer, state, { ...pair, hasConversion: true });
  await bypassTriggers(
    testDatabase.database,
    'update conversion_orders set buy_amount = 100, completed_at = clock_timestamp(), created_at = clock_timestamp() where order_id = $1',
    [orderId],
  );
  return orderId;
}

describe('the money of a conversion', () => {
  test.each(['funding', 'completed', 'unknown', 'held'] as const)(
    'that is %s is not taken for that of a refund of the same amount',
    async (state) => {
      const { world, paymentIds } = await paidPayments(1);
      const [paymentId = ''] = paymentIds;
      const orderId = await anOrder(world, state);
      const refund = await refundOf(testDatabase, world, paymentId, '100');
      await arrive(world, 100);
      await listRefundsAs(testDatabase, refund);
      await explainReceiptsAs(testDatabase);
      expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
      if (state !== 'funding' && state !== 'held')
        expect(await endOrderWithCredit(testDatabase.asWorker, orderId)).toBe(true);
    },
  );

  test.each(['committed', 'created'] as const)(
    'is not there while it is %s, and a refund has its own',
    async (state) => {
      const { world, paymentIds } = await paidPayments(1);
      const [paymentId = ''] = paymentIds;
      await anOrder(world, state);
      await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
      await arrive(world, 100);
      await listRefundsAs(testDatabase);
      await explainReceiptsAs(testDatabase);
      expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
    },
  );

  test('is that of one fact, also if the conversion is settled while refunds are matched', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    const orderId = await anOrder(world, 'completed');
    await arrive(world, 100);
    await arrive(world, 100);
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
    const client = await testDatabase.asWorker.connect();
    let settled: Promise<void>;
    try {
      await client.query('begin');
      expect(await endOrderWithCredit(client, orderId)).toBe(true);
      settled = explainReceiptsAs(testDatabase);
      await until(async () => {
        const { rows } = await testDatabase.database.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length > 0;
      });
      await client.query('commit');
    } finally {
      client.release();
    }
    await settled;
    const query = { accounts: [ACCOUNT], currency: world.currency, all: true, limit: 10 };
    const receipts = (await listReceipts(testDatabase.asServer, query)).filter(({ amount }) => amount === '100');
    expect(receipts.map(({ explainedBy }) => explainedBy).sort()).toEqual(['conversion', 'refund']);
    expect(await stateOf(paymentId)).toEqual(IS_RETURNED);
  });

  test('is taken from what nothing explains, before what a person has explained', async () => {
    const { world, paymentIds } = await paidPayments(1);
    const [paymentId = ''] = paymentIds;
    const orderId = await anOrder(world, 'completed');
    await arrive(world, 100);
    await assign(world, null);
    await arrive(world, 100);
    expect(await endOrderWithCredit(testDatabase.asWorker, orderId)).toBe(true);
    await listRefundsAs(testDatabase, await refundOf(testDatabase, world, paymentId, '100'));
    await explainReceiptsAs(testDatabase);
    expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
  });
});

/** Says what the newest receipt is. */
async function assign(world: LedgerWorld, refundId: string | null): Promise<void> {
  const query = { accounts: [ACCOUNT], currency: world.currency, all: true, limit: 1 };
  const [receipt] = await listReceipts(testDatabase.asServer, query);
  await assignReceiptAs(testDatabase.asServer, treasurer.tokenHash, {
    ...{ account: ACCOUNT, currency: world.currency, entryId: receipt?.entryId ?? '', refundId, reason: 'told' },
  });
}

test('a person cannot say that money is that of a refund of a payment that was sent later', async () => {
  const { world } = await paidPayments(0);
  await arrive(world, 100);
  await receiptsCameAt(world, daysAgo(3));
  await testDatabase.database.query(
    `update receipts set dated_at = ${daysAgo(9)} where currency = $1 and amount <> 100`,
    [world.currency],
  );
  await world.approveRun([100]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  await pay(world, paymentId);
  const refund = await refundOf(testDatabase, world, paymentId, '100');
  await listRefundsAs(testDatabase, refund);
  await expect(assign(world, refund.id)).rejects.toThrow('came before');
  await explainReceiptsAs(testDatabase);
  expect(await stateOf(paymentId)).toEqual(STAYS_PAID);
});
