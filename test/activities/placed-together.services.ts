import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDependencies } from '../../activities/dependencies.ts';
import { beginOccurrenceActivity } from '../../activities/treasury/begin-occurrence.ts';
import { placeScheduledOrdersActivity } from '../../activities/treasury/place-scheduled-orders.ts';
import { planOccurrenceActivity } from '../../activities/treasury/plan-occurrence.ts';
import { commitConversion } from '../../activities/treasury/commit-conversion.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { PlannedQuote } from '../../domain/treasury/occurrence-plan.ts';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';
import { saveReference } from '../../store/payment-file/reference-data.ts';
import { inTransaction } from '../../store/database/database.ts';
import { lockBoughtMoney } from '../../store/treasury/order-guards.ts';
import { planOccurrence } from '../../store/treasury/occurrences.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { saveBalances } from '../../store/payments/balance-snapshots.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { aSchedule, FUND_RUN, SWEEP, TOP_UP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { ALWAYS_OPEN, everyDayNow } from '../helpers/schedules-under-test.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from '../store/a-schedule.ts';
import { aQuote, aStoredOrder } from '../store/a-stored-order.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';

/** What occurrences place that lack the same money: an order that is placed counts, also before money is committed to it. */
let testDatabase: TestDatabase;
let treasurers: [TestUser, TestUser];
/** Orders whose workflows were started. */
let started: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurers = [await aUser(testDatabase, 'Tina', 'treasurer'), await aUser(testDatabase, 'Tom', 'treasurer')];
  const content = ['USD', 'EUR', 'GBP', 'SGD'].map((code) => ({ code, decimalPlaces: 2 }));
  const { asWorker } = testDatabase;
  const readAt = await beginReading(asWorker);
  await saveReference(asWorker, { account: ACCOUNT, kind: 'currencies', key: '', content, readAt });
});
afterAll(() => testDatabase.drop());
beforeEach(async () => {
  started = [];
  await bypass(`update conversion_orders set state = 'skipped', ended_at = clock_timestamp()`);
  await balances({ EUR: '0.00', USD: '70000.00', GBP: '90000.00' });
});

const bypass = (statement: string, values: unknown[] = []) => bypassTriggers(testDatabase.database, statement, values);

async function balances(amounts: Readonly<Record<string, string>>): Promise<void> {
  const { asWorker } = testDatabase;
  const shown = Object.entries(amounts).map(([currency, amount]) => ({ currency, amount }));
  await saveBalances(asWorker, ACCOUNT, await beginReading(asWorker), shown);
}

function activities() {
  const dependencies = {
    database: testDatabase.asWorker,
    temporal: {
      workflow: {
        signalWithStart: (_: string, { args: [order] }: { args: [{ orderId: string }] }) => {
          started.push(order.orderId);
          return Promise.resolve();
        },
      },
    },
    settings: { schedules: { calendars: ALWAYS_OPEN, catchUpMs: 600_000, orderLifetimeMs: 3_600_000 } },
    now: () => Date.now(),
  } as unknown as ActivityDependencies;
  return {
    begin: beginOccurrenceActivity(dependencies),
    plan: planOccurrenceActivity(dependencies),
    place: placeScheduledOrdersActivity(dependencies),
  };
}

let schedules = 0;

/** The occurrence of now of a schedule that two people have confirmed. */
async function begun(file: object, differences: object): Promise<string> {
  schedules += 1;
  const schedule = aSchedule(file, { name: `Schedule ${schedules}`, ...everyDayNow(), ...differences });
  const scheduleId = await aConfirmedSchedule(testDatabase, treasurers, schedule);
  const at = Math.floor((Date.now() - 60_000) / 60_000) * 60_000;
  await activities().begin({ scheduleId, occurrenceId: null, scheduledAtMs: at });
  return idOf(scheduleId, new Date(at).toISOString().slice(0, 10), 1);
}

const quoted = (sellCurrency: string, buyAmount: string): PlannedQuote => ({
  ...{ sellCurrency, buyCurrency: 'EUR', fixedSide: 'buy', amount: buyAmount },
  answer: { totalAmount: '10000.00', buyAmount },
});
const QUOTES = [quoted('USD', '9000.00'), quoted('GBP', '11000.00')];

async function place(occurrenceId: string): Promise<{ why: string | null }> {
  await planOccurrence(testDatabase.asWorker, occurrenceId, { why: null, quotes: QUOTES, sweepDecimals: null });
  return activities().place({ occurrenceId });
}

const source = (currency: string) => ({ currency, min_order: '1000.00', max_order: '500000.00' });

/** Lacks 10,000 EUR, of which 50,000 USD may be no part. */
const fundRun = (...currencies: string[]) =>
  begun(FUND_RUN, {
    ...{ floors: { EUR: '10000.00', USD: '50000.00' }, buy: ['EUR'], sources: currencies.map(source) },
  });

async function ordersOf(occurrenceId: string): Promise<{ orderId: string; sell: string; buys: string }[]> {
  const { rows } = await testDatabase.database.query<{ orderId: string; sell: string; buys: string }>(
    `select order_id as "orderId", orders.sell_currency as sell, orders.amount::text as buys
     from scheduled_orders join conversion_orders orders using (order_id) where occurrence_id = $1 order by sell`,
    [occurrenceId],
  );
  return rows;
}

describe('an occurrence whose activity is repeated', () => {
  test('buys no more than it lacks, also when less of a source is free by then', async () => {
    const occurrenceId = await fundRun('USD', 'GBP');
    expect(await place(occurrenceId)).toEqual({ why: null });
    const first = await ordersOf(occurrenceId);
    expect(first).toMatchObject([{ sell: 'USD', buys: '10000.00' }]);
    // The worker dies before its answer is recorded, and other money of the balance is spent.
    await balances({ USD: '55000.00' });
    expect(await place(occurrenceId)).toEqual({ why: null });
    expect(await ordersOf(occurrenceId)).toEqual(first);
  });

  test('starts the orders that it has placed', async () => {
    const occurrenceId = await fundRun('USD');
    await place(occurrenceId);
    const ids = (await ordersOf(occurrenceId)).map(({ orderId }) => orderId);
    started = [];
    await place(occurrenceId);
    expect(started).toEqual(ids);
  });

  test('after it failed between two of its orders has placed neither, and plans them again', async () => {
    await balances({ USD: '55000.00' });
    const occurrenceId = await fundRun('USD', 'GBP');
    await refusing('GBP', () => expect(place(occurrenceId)).rejects.toThrow('not now'));
    expect(await ordersOf(occurrenceId)).toEqual([]);
    await balances({ USD: '70000.00' });
    await place(occurrenceId);
    expect(await ordersOf(occurrenceId)).toMatchObject([{ sell: 'USD', buys: '10000.00' }]);
  });

  test('at the same moment plans once', async () => {
    const occurrenceId = await fundRun('USD', 'GBP');
    await Promise.all([place(occurrenceId), place(occurrenceId)]);
    expect(await ordersOf(occurrenceId)).toMatchObject([{ sell: 'USD', buys: '10000.00' }]);
  });
});

/** While `work` runs, no order that sells the currency can be stored. */
async function refusing(currency: string, work: () => Promise<void>): Promise<void> {
  const { database } = testDatabase;
  await database.query(`
    create function refuse_order() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
    create trigger refuse_order before insert on conversion_orders for each row
      when (new.sell_currency = '${currency}') execute function refuse_order()`);
  try {
    await work();
  } finally {
    await database.query('drop function refuse_order cascade');
  }
}

describe('while an order is placed and nothing is committed to it', () => {
  beforeEach(async () => {
    // In a stop, it waits like this.
    const occurrenceId = await fundRun('USD');
    await place(occurrenceId);
    expect(await ordersOf(occurrenceId)).toHaveLength(1);
  });

  test('another occurrence does not buy the same money again', async () => {
    const occurrenceId = await fundRun('GBP');
    expect(await place(occurrenceId)).toEqual({ why: 'nothing_to_convert' });
    expect(await ordersOf(occurrenceId)).toEqual([]);
  });

  test('another one does not either while people may release it', async () => {
    await bypassTriggers(testDatabase.database, `update conversion_orders set state = 'held' where state = 'approved'`);
    expect(await place(await fundRun('GBP'))).toEqual({ why: 'nothing_to_convert' });
  });

  test('a level does not count it as missing', async () => {
    const occurrenceId = await begun(TOP_UP, { sell: 'GBP', level: '10000.00' });
    expect(await activities().plan({ occurrenceId })).toEqual({ why: 'nothing_to_convert', quotes: 0 });
    const higher = await begun(TOP_UP, { sell: 'GBP', level: '10500.00' });
    await place(higher);
    expect(await ordersOf(higher)).toMatchObject([{ buys: '500.00' }]);
  });

  test('what it sells is no surplus for another one', async () => {
    const occurrenceId = await begun(SWEEP, { sell: 'USD', buy: 'SGD', floor: '50000.00' });
    // Without a price in the database, it may sell all that is above the floor.
    expect(await activities().plan({ occurrenceId })).toEqual({ why: 'nothing_to_convert', quotes: 0 });
  });

  test('it no longer counts after its time is over', async () => {
    await bypass(`update conversion_orders set expires_at = clock_timestamp() where state = 'approved'`);
    const occurrenceId = await fundRun('GBP');
    expect(await place(occurrenceId)).toEqual({ why: null });
  });
});

describe('when its money is committed, an order for runs', () => {
  let orderId = '';

  beforeEach(async () => {
    const occurrenceId = await fundRun('USD');
    await place(occurrenceId);
    orderId = (await ordersOf(occurrenceId))[0]?.orderId ?? '';
    const { terms } = await readOrder(testDatabase.asWorker, orderId);
    const sold = { sellAmount: '12000.00', totalAmount: '12000.00', totalFees: '0.00' };
    const quote = aQuote(terms, { fixedSide: 'buy', buyAmount: terms.amount, ...sold });
    await bypass(
      `update conversion_orders set state = 'quoted', quote_id = 'q', quote = $2, quoted_at = clock_timestamp() where order_id = $1`,
      [orderId, JSON.stringify(quote)],
    );
  });

  const commit = () => commitConversion(testDatabase.asWorker, orderId, () => true);
  async function expectSkipped(): Promise<void> {
    expect(await commit()).toEqual({ kind: 'moved' });
    const { state, stateReason } = await readOrder(testDatabase.asWorker, orderId);
    expect([state, stateReason]).toEqual(['skipped', 'need_covered']);
  }

  test('is carried out while the need is what it was: the last unit is bought whole', async () => {
    await balances({ EUR: '0.009' });
    expect(await commit()).toMatchObject({ kind: 'committed' });
  });

  test('is not carried out when money came since it was placed, and the next occurrence buys what is still missing', async () => {
    await balances({ EUR: '0.01' });
    await expectSkipped();
    const next = await fundRun('GBP');
    await place(next);
    expect(await ordersOf(next)).toMatchObject([{ buys: '9999.99' }]);
  });

  test.each<ConversionState>(['approved', 'committed', 'unknown'])(
    'is not carried out beside one that somebody placed by hand, and that is %s',
    async (state) => {
      const pair = { sellCurrency: 'GBP', buyCurrency: 'EUR', fixedSide: 'buy', amount: '0.01', cap: '1.00' } as const;
      const other = await aStoredOrder(testDatabase, treasurers[0], state, pair);
      await bypass('update conversion_orders set buy_amount = 0.01 where order_id = $1', [other.orderId]);
      await expectSkipped();
    },
  );

  test('is not carried out when another one commits its money at the same moment', async () => {
    const other = await aStoredOrder(testDatabase, treasurers[0], 'skipped', {
      sellCurrency: 'GBP',
      buyCurrency: 'EUR',
    });
    let later: Promise<void> | undefined;
    await inTransaction(testDatabase.asWorker, async (transaction) => {
      await lockBoughtMoney(transaction, { account: ACCOUNT, buyCurrency: 'EUR' });
      const skipped = expectSkipped();
      await Promise.race([skipped, untilWaiting(testDatabase.database)]);
      await bypass(`update conversion_orders set state = 'committed', buy_amount = 0.01 where order_id = $1`, [
        other.orderId,
      ]);
      later = skipped;
    });
    await later;
  });
});

describe('while an order is placed that may sell more than there is', () => {
  beforeEach(async () => {
    await balances({ EUR: '300.00' });
    // Without a price in the database, it may sell as much as its largest order.
    const occurrenceId = await begun(TOP_UP, { sell: 'EUR', buy: 'SGD', level: '400.00', max_order: '1000.00' });
    await place(occurrenceId);
    expect(await ordersOf(occurrenceId)).toMatchObject([{ sell: 'EUR', buys: '400.00' }]);
  });

  test('what it lacks is not bought for runs', async () => {
    const floors = { EUR: '0.00', USD: '50000.00' };
    const occurrenceId = await begun(FUND_RUN, { floors, buy: ['EUR'], sources: [source('USD')] });
    expect(await place(occurrenceId)).toEqual({ why: 'nothing_to_convert' });
    expect(await ordersOf(occurrenceId)).toEqual([]);
  });

  test('no more than a level is bought', async () => {
    const occurrenceId = await begun(TOP_UP, { sell: 'GBP', level: '500.00' });
    await place(occurrenceId);
    expect(await ordersOf(occurrenceId)).toMatchObject([{ buys: '500.00' }]);
  });
});
