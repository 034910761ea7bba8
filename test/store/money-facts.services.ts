import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reconcileDayActivity } from '../../activities/reconciliation/reconcile-day.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { reportDeposit } from '../../store/accounts/deposits.ts';
import type { ShownFunding } from '../../store/accounts/fundings.ts';
import { endOrderWithCredit } from '../../store/treasury/order-credit.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aStoredOrder } from './a-stored-order.ts';
import { ACCOUNT } from './a-stored-run.ts';
import { LedgerWorld } from './ledger-world.ts';
import { listFundingsAs, listRefundsAs, refundOf, returnsOf, explainReceiptsAs } from './refunds-under-test.ts';

/** What the record of each subject expects to move is what reconciliation finds in the history. */

let testDatabase: TestDatabase;
let treasurer: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tess Treasurer', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** Today counts as over here: that a day has to be is tried in days-not-over. */
async function reconcileToday(): Promise<void> {
  await testDatabase.database.query(
    `create or replace function book_day_seen_at(p_day date) returns timestamptz
     language sql immutable as $$ select p_day::timestamp at time zone 'UTC' $$`,
  );
  const reconcileDay = reconcileDayActivity({ database: testDatabase.asWorker });
  const day = dayOf(Date.now());
  await expect(reconcileDay({ account: ACCOUNT, day })).resolves.toMatchObject({ outcome: 'stored' });
}

/** By amount, the fact that each entry belongs to; null: to none. */
async function factsByAmount(): Promise<Record<string, string | null>> {
  const { rows } = await testDatabase.database.query<{ amount: string; fact: string | null }>(
    `select trim_scale(amount_after - amount_before)::text as amount, lines -> 0 ->> 2 as fact
     from booked_entries join balance_entries using (account, currency, entry_id)`,
  );
  return Object.fromEntries(rows.map(({ amount, fact }) => [amount, fact]));
}

const aFunding = (currency: string, amount: number): ShownFunding => ({
  ...{ id: randomUUID(), balanceId: null, currency, amount: String(amount), reference: 'FD1', status: 'pending' },
});

/** A conversion that was funded with an answer and is completed, as its workflow records it. */
async function aFundedOrder(sold: LedgerWorld, bought: LedgerWorld): Promise<string> {
  const pair = { sellCurrency: sold.currency, buyCurrency: bought.currency };
  const { orderId } = await aStoredOrder(testDatabase, treasurer, 'completed', { ...pair, hasConversion: true });
  await bypassTriggers(
    testDatabase.database,
    `update conversion_orders set sell_amount = 300, total_amount = 301.5, buy_amount = 270, created_at = clock_timestamp(),
       funded_at = clock_timestamp(), completed_at = clock_timestamp() where order_id = $1`,
    [orderId],
  );
  await bypassTriggers(
    testDatabase.database,
    `insert into conversion_requests (order_id, attempt, operation, answered_at, outcome, answer)
     values ($1, 1, 'fund', clock_timestamp(), 'took_effect', 'as_asked')`,
    [orderId],
  );
  return orderId;
}

test('payments, refunds, fundings, deposits and conversions each explain their entries, and nothing else does', async () => {
  const [world, other] = [new LedgerWorld(testDatabase, 'QFA'), new LedgerWorld(testDatabase, 'QFB')];
  const opening = aFunding(world.currency, 10_000);
  await listFundingsAs(testDatabase, opening);
  await listFundingsAs(testDatabase, { ...opening, status: 'completed' });
  world.change(10_000);
  await world.readHistory();
  await listRefundsAs(testDatabase);
  await explainReceiptsAs(testDatabase);

  await world.approveRun([100]);
  const [paymentId = ''] = world.runs[0]?.paymentIds ?? [];
  await world.create(paymentId, 1, 'took_effect');
  await world.fund(paymentId, 'answered');
  await world.readHistory();
  await world.end(paymentId, 'paid');
  world.change(100);
  await world.readHistory();
  const refund = await refundOf(testDatabase, world, paymentId, '100');
  await listRefundsAs(testDatabase, refund);
  await explainReceiptsAs(testDatabase);
  expect(await returnsOf(testDatabase, [paymentId])).toEqual([{ state: 'returned', returned: 100 }]);

  await reportDeposit(testDatabase.asServer, ACCOUNT, {
    ...{ transactionId: 'd1', amount: '77', status: 'completed', virtualAccountId: null, accountNumber: null },
  });
  world.change(77);
  world.change(13);
  await world.readHistory();
  await listRefundsAs(testDatabase, refund);
  await explainReceiptsAs(testDatabase);

  const orderId = await aFundedOrder(world, other);
  world.change(-301.5);
  other.change(270);
  await world.readHistory();
  await other.readHistory();
  await expect(endOrderWithCredit(testDatabase.asWorker, orderId)).resolves.toBe(true);

  await reconcileToday();
  expect(await factsByAmount()).toEqual({
    '10000': `funding/${opening.id}`,
    '-101': `payment/${paymentId}-1`,
    '100': `refund/${refund.id}`,
    '77': 'deposit/d1/77',
    '13': null,
    '-301.5': `conversion/${orderId}`,
    '270': `conversion/${orderId}`,
  });
  // A refund that the provider lists is not expected a second time because its payment came back.
  const { rows } = await testDatabase.database.query<{ facts: string[] }>(
    `select array_agg(fact_id) as facts from booked_facts where fact_id like 'refund/%'`,
  );
  expect(rows[0]?.facts).toEqual([`refund/${refund.id}`]);
});
