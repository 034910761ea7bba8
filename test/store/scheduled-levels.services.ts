import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { occurrenceId as idOf } from '../../domain/treasury/conversion-identity.ts';
import { type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { readIncoming } from '../../store/treasury/cash.ts';
import { beginOccurrence, placeScheduledOrder } from '../../store/treasury/occurrences.ts';
import { inTransaction } from '../../store/database/database.ts';
import { type BegunOrderRequest, beginCreation } from '../../store/treasury/order-requests.ts';
import { aSchedule, FUND_RUN, SWEEP, TOP_UP } from '../domain/treasury-schedules.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { everyDayNow } from '../helpers/schedules-under-test.ts';
import { createTestDatabase, type TestDatabase, untilWaiting } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aConfirmedSchedule } from './a-schedule.ts';
import { aQuote, aStoredOrder } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** The floor or level that two people have confirmed holds when money is committed, not only when the order was placed. */
let testDatabase: TestDatabase;
let treasurers: [TestUser, TestUser];
let dollars: LedgerWorld;
let euros: LedgerWorld;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurers = [await aUser(testDatabase, 'Tina', 'treasurer'), await aUser(testDatabase, 'Tom', 'treasurer')];
  dollars = new LedgerWorld(testDatabase, 'USD');
  euros = new LedgerWorld(testDatabase, 'EUR');
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  await bypassTriggers(testDatabase.database, `update conversion_orders set state = 'skipped'`);
  await free(dollars, 120_000);
  await free(euros, 3_000);
});

/** Money comes or leaves, so that this is free. */
async function free(world: LedgerWorld, amount: number): Promise<void> {
  const change = amount - (await freeIn(world));
  if (change !== 0) world.change(change);
  await world.readHistory();
}

const freeIn = async (world: LedgerWorld): Promise<number> => (await world.ledger()).free;

let schedules = 0;

/** An order that the occurrence of now has placed, with a quote. */
async function quotedOrder(
  file: object,
  differences: object,
  terms: Pick<ConversionOrder, 'fixedSide' | 'amount'> & Partial<ConversionOrder>,
): Promise<string> {
  const { asWorker, database } = testDatabase;
  const schedule = aSchedule(file, { name: `Schedule ${(schedules += 1)}`, ...everyDayNow(), ...differences });
  const scheduleId = await aConfirmedSchedule(testDatabase, treasurers, schedule);
  const at = new Date(Date.now() - 60_000).toISOString();
  const localDate = at.slice(0, 10);
  const orderId = idOf(scheduleId, localDate, 1);
  await beginOccurrence(asWorker, {
    ...{ occurrenceId: orderId, scheduleId, localDate, slot: 1, scheduledAt: at, movedFrom: [], calendarVersion: 1 },
  });
  const order: ConversionOrder = {
    ...{ orderId, account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR', limitPrice: null, maxCostBps: null },
    ...{ cap: '70000.00', expiresAt: new Date(Date.now() + 3_600_000).toISOString() },
    ...terms,
  };
  const placed = await placeScheduledOrder(asWorker, orderId, { terms: order, orderHash: conversionOrderHash(order) });
  expect(placed).toBeNull();
  const total = order.fixedSide === 'sell' ? order.amount : '10000.00';
  const quote = aQuote(order, { sellAmount: total, totalAmount: total, totalFees: '0.00' });
  await bypassTriggers(
    database,
    `update conversion_orders set state = 'quoted', quote_id = 'q', quote = $2, quoted_at = clock_timestamp() where order_id = $1`,
    [orderId, JSON.stringify(quote)],
  );
  return orderId;
}

const create = (orderId: string): Promise<BegunOrderRequest> => beginCreation(testDatabase.asWorker, orderId);

const REFUSED_BY_FLOOR = { refused: 'floor_reached' };
const REFUSED_BY_LEVEL = { refused: 'level_reached' };

const sweep = (buyCurrency: string) =>
  quotedOrder(
    SWEEP,
    { max_order: '100000.00', buy: buyCurrency },
    { fixedSide: 'sell', amount: '70000.00', buyCurrency },
  );

describe('a sweep', () => {
  test('down to its floor is carried out', async () => {
    expect(await create(await sweep('EUR'))).toHaveProperty('requestId');
    expect(await freeIn(dollars)).toBe(50_000);
  });

  test('leaves its floor, also when a run has reserved money since it was placed', async () => {
    const orderId = await sweep('EUR');
    await dollars.approveRun([45_000]);
    expect(await create(orderId)).toEqual(REFUSED_BY_FLOOR);
    expect(await freeIn(dollars)).toBe(75_000);
  });

  test('leaves its floor, also when another one of the currency was placed at the same moment', async () => {
    const orders = [await sweep('EUR'), await sweep('GBP')];
    await free(dollars, 150_000);
    const begun = await Promise.all(orders.map(create));
    expect(begun).toContainEqual(REFUSED_BY_FLOOR);
    expect(await freeIn(dollars)).toBe(80_000);
  });
});

describe('a top-up', () => {
  const topUp = () => quotedOrder(TOP_UP, { max_order: '70000.00' }, { fixedSide: 'buy', amount: '17000.00' });

  test('up to its level is carried out', async () => {
    expect(await create(await topUp())).toHaveProperty('requestId');
  });

  test('buys nothing beyond its level, also when money has come since it was placed', async () => {
    const orderId = await topUp();
    await free(euros, 3_000.01);
    expect(await create(orderId)).toEqual(REFUSED_BY_LEVEL);
  });

  test('buys nothing beyond its level, also when another order buys the same', async () => {
    const orderId = await topUp();
    const other = await quotedOrder(
      SWEEP,
      { sell: 'GBP', floor: '0.00', max_order: '70000.00' },
      { fixedSide: 'sell', amount: '1000.00', sellCurrency: 'GBP' },
    );
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set state = 'committed', buy_amount = 0.01 where order_id = $1`,
      [other],
    );
    expect(await create(orderId)).toEqual(REFUSED_BY_LEVEL);
  });

  test.each<[ConversionState, boolean, boolean]>([
    ['created', true, false],
    ['funded', true, false],
    ['unknown', false, false],
    ['unknown', true, false],
    ['held', true, false],
    ['held', false, true],
    ['lapsed', true, true],
    ['rejected', false, true],
  ])('and another order that is %s (created: %s): what that one may still bring is not bought again', async (...of) => {
    const [state, hasConversion, isBought] = of;
    const orderId = await topUp();
    const pair = { sellCurrency: 'GBP', buyCurrency: 'EUR', hasConversion };
    const other = await aStoredOrder(testDatabase, treasurers[0], state, pair);
    await bypassTriggers(testDatabase.database, 'update conversion_orders set buy_amount = 0.01 where order_id = $1', [
      other.orderId,
    ]);
    expect(await create(orderId)).toEqual(isBought ? { requestId: expect.any(String) as string } : REFUSED_BY_LEVEL);
  });

  test('buys nothing beyond its level, also when another one commits its money at the same moment', async () => {
    let secondResult: Promise<BegunOrderRequest> | undefined;
    const first = await topUp();
    const second = await quotedOrder(
      TOP_UP,
      { sell: 'GBP', max_order: '70000.00' },
      { fixedSide: 'buy', amount: '17000.00', sellCurrency: 'GBP' },
    );
    await inTransaction(testDatabase.asWorker, async (transaction) => {
      expect(await beginCreation(transaction, first)).toHaveProperty('requestId');
      const later = create(second);
      await Promise.race([later, untilWaiting(testDatabase.database)]);
      secondResult = later;
    });
    expect(await secondResult).toEqual(REFUSED_BY_LEVEL);
  });

  test('of a fraction of the smallest unit too much is carried out: the last unit is bought whole', async () => {
    await free(euros, 2_999.995);
    const orderId = await quotedOrder(TOP_UP, { max_order: '70000.00' }, { fixedSide: 'buy', amount: '17000.01' });
    expect(await create(orderId)).toHaveProperty('requestId');
  });
});

describe('an order for runs', () => {
  const forRuns = () => quotedOrder(FUND_RUN, {}, { fixedSide: 'buy', amount: '9000.00' });

  test('leaves the floor of what it sells', async () => {
    const orderId = await forRuns();
    await free(dollars, 59_999);
    expect(await create(orderId)).toEqual(REFUSED_BY_FLOOR);
    await free(dollars, 60_000);
    expect(await create(orderId)).toHaveProperty('requestId');
  });

  /** Another order buys 30,000 dollars, and has this state. */
  async function buying(state: ConversionState, hasConversion = true): Promise<void> {
    const { orderId } = await aStoredOrder(testDatabase, treasurers[0], state, {
      ...{ sellCurrency: 'GBP', buyCurrency: 'USD', hasConversion },
    });
    await bypassTriggers(
      testDatabase.database,
      'update conversion_orders set buy_amount = 30000, created_at = clock_timestamp() where order_id = $1',
      [orderId],
    );
  }

  test('may count on what is bought of it and was paid for', async () => {
    const orderId = await forRuns();
    await free(dollars, 32_000);
    await buying('funded');
    expect(await create(orderId)).toHaveProperty('requestId');
  });

  test.each<ConversionState>(['committed', 'created', 'funding', 'held', 'unknown'])(
    'does not count on an order that is %s: it may bring nothing',
    async (state) => {
      const orderId = await forRuns();
      await free(dollars, 32_000);
      await buying(state);
      expect(await create(orderId)).toEqual(REFUSED_BY_FLOOR);
    },
  );

  test.each([30_000, 29_990])('leaves the floor when bought money has just come, as a credit of %d', async (credit) => {
    const orderId = await forRuns();
    await free(dollars, 32_000 - credit);
    await buying('completed');
    dollars.change(credit);
    await dollars.readHistory();
    expect(await freeIn(dollars)).toBe(32_000);
    expect(await create(orderId)).toEqual(REFUSED_BY_FLOOR);
  });

  test.each<[ConversionState, boolean, 'expected' | 'doubtful' | 'none']>([
    ['committed', true, 'expected'],
    ['funding', true, 'expected'],
    ['completed', true, 'expected'],
    ['unknown', true, 'doubtful'],
    ['unknown', false, 'doubtful'],
    ['held', true, 'doubtful'],
    ['held', false, 'none'],
    ['lapsed', true, 'none'],
    ['rejected', false, 'none'],
  ])('of an order that is %s (created: %s) the money is %s: what may still come is not bought again', async (...of) => {
    const [state, hasConversion, money] = of;
    await buying(state, hasConversion);
    const found = await readIncoming(testDatabase.asWorker, 'default');
    const expected = money === 'none' ? [] : [['30000', money === 'expected']];
    expect(found.map(({ amount, isExpected }) => [amount, isExpected])).toEqual(expected);
  });

  test('counts on the same money when it is planned: what has come is on its way no longer', async () => {
    const onItsWay = async () =>
      (await readIncoming(testDatabase.asWorker, 'default')).map(({ currency, amount }) => [currency, amount]);
    await free(dollars, 2_000);
    await buying('completed');
    expect(await onItsWay()).toEqual([['USD', '30000']]);
    dollars.change(29_990);
    await dollars.readHistory();
    expect(await onItsWay()).toEqual([['USD', '30000']]);
    dollars.change(30_000);
    await dollars.readHistory();
    expect(await onItsWay()).toEqual([]);
  });
});
