import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import {
  CONVERSION_STATES,
  type ConversionState,
  mayTransitionConversion,
} from '../../domain/treasury/conversion-state.ts';
import { decideOrderAs, type OrderDecision } from '../../store/treasury/order-decisions.ts';
import type { Database } from '../../store/database/database.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { anOrder, aStoredOrder, placed, stateOf } from './a-stored-order.ts';

/** Which transitions of an order the database allows, and to whom. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let second: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tessa', 'treasurer');
  second = await aUser(testDatabase, 'Tom', 'treasurer');
});
afterAll(() => testDatabase.drop());

/** What only people do, or a function that commits money. */
function isOfPeople(from: ConversionState, to: ConversionState): boolean {
  if (to === 'committed' || to === 'funding' || to === 'rejected') return true;
  if (to === 'approved') return from === 'in_approval' || from === 'held';
  return from === 'unknown' && ['created', 'lapsed'].includes(to);
}

/** The states to which a login moves the order; every move is taken back. */
async function reachable(login: Database, orderId: string): Promise<ConversionState[]> {
  const connection = await login.connect();
  try {
    await connection.query('begin');
    const reached: ConversionState[] = [];
    for (const to of CONVERSION_STATES) {
      await connection.query('savepoint before');
      const moved = await connection
        .query(`update conversion_orders set state = $2 where order_id = $1 and state <> $2`, [orderId, to])
        .then(({ rowCount }) => rowCount === 1)
        .catch(() => false);
      if (moved) reached.push(to);
      await connection.query('rollback to savepoint before');
    }
    return reached;
  } finally {
    await connection.query('rollback');
    connection.release();
  }
}

describe.each([false, true])('an order, with a conversion: %s,', (hasConversion) => {
  test.each(CONVERSION_STATES)('is moved from %s as the table says, and by a worker not as people do', async (from) => {
    const { orderId } = await aStoredOrder(testDatabase, treasurer, from, { hasConversion });
    const isOver = `update conversion_orders set expires_at = now() - interval '1 second' where order_id = $1`;
    await bypassTriggers(testDatabase.database, isOver, [orderId]);
    const allowed = CONVERSION_STATES.filter((to) => mayTransitionConversion(from, to, hasConversion));
    expect(await reachable(testDatabase.database, orderId)).toEqual(allowed);
    const byWorker = allowed.filter((to) => !isOfPeople(from, to));
    expect(await reachable(testDatabase.asWorker, orderId)).toEqual(byWorker);
    await expect(reachable(testDatabase.asServer, orderId)).resolves.toEqual([]);
  });
});

describe('what an order holds', () => {
  test.each(['amount = 1', `buy_currency = 'GBP'`, 'cap = 1000000', 'approval_covers = 99999999', `order_hash = 'x'`])(
    'is not changed by anybody: %s',
    async (change) => {
      const { orderId } = await aStoredOrder(testDatabase, treasurer);
      const changed = testDatabase.database.query(`update conversion_orders set ${change} where order_id = $1`, [
        orderId,
      ]);
      await expect(changed).rejects.toThrow('keeps its terms');
      await expect(
        testDatabase.asWorker.query(`update conversion_orders set ${change} where order_id = $1`, [orderId]),
      ).rejects.toThrow('permission denied');
    },
  );

  test('of the provider is one conversion for good', async () => {
    const { orderId } = await aStoredOrder(testDatabase, treasurer, 'created', { hasConversion: true });
    const changed = testDatabase.asWorker.query(
      `update conversion_orders set conversion_id = 'x' where order_id = $1`,
      [orderId],
    );
    await expect(changed).rejects.toThrow('keeps its conversion');
  });

  test('that people decided is kept', async () => {
    for (const statement of [
      'update conversion_decisions set decision = decision',
      'delete from conversion_decisions',
    ]) {
      await expect(testDatabase.database.query(statement)).rejects.toThrow('kept as it was made');
    }
  });
});

describe('two orders of one pair', () => {
  test('placed in the same moment, in either direction, are one order', async () => {
    for (let round = 0; round < 10; round += 1) {
      const one = anOrder();
      const other = anOrder({ sellCurrency: one.buyCurrency, buyCurrency: one.sellCurrency });
      const both = await Promise.allSettled([
        placed(testDatabase, treasurer, one),
        placed(testDatabase, second, other),
      ]);
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const refused = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
      expect(refused.reason).toMatchObject({ code: 'conflict', message: expect.stringContaining('is open') as string });
    }
  });

  test('placed under one key are one order, and with other terms a conflict', async () => {
    const order = anOrder();
    const both = await Promise.allSettled([
      placed(testDatabase, treasurer, order),
      placed(testDatabase, treasurer, order),
    ]);
    expect(both.map((one) => one.status === 'fulfilled' && one.value).sort()).toEqual([false, true]);
    expect(both.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(await placed(testDatabase, treasurer, order)).toBe(false);
    await expect(placed(testDatabase, treasurer, { ...order, amount: '2.00' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(placed(testDatabase, second, order)).rejects.toMatchObject({ code: 'conflict' });
  });

  test('are open one after the other', async () => {
    const first = await aStoredOrder(testDatabase, treasurer, 'held', { hasConversion: true });
    const { sellCurrency, buyCurrency } = first;
    await expect(placed(testDatabase, treasurer, anOrder({ sellCurrency, buyCurrency }))).rejects.toMatchObject({
      code: 'conflict',
    });
    await testDatabase.asWorker.query(`update conversion_orders set state = 'lapsed' where order_id = $1`, [
      first.orderId,
    ]);
    expect(await placed(testDatabase, treasurer, anOrder({ sellCurrency, buyCurrency }))).toBe(true);
  });
});

describe('a decision', () => {
  const decide = (user: TestUser, order: ReturnType<typeof anOrder>, decision: OrderDecision, orderHash?: string) =>
    decideOrderAs(testDatabase.asServer, user.tokenHash, {
      ...{ orderId: order.orderId, decision, reason: 'x' },
      orderHash: orderHash ?? conversionOrderHash(order),
    });

  test('is made by another person than who placed the order, on exactly its terms, once', async () => {
    const order = await aStoredOrder(testDatabase, treasurer, 'in_approval');
    await expect(decide(treasurer, order, 'approved')).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(decide(treasurer, order, 'rejected')).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(decide(second, order, 'approved', 'a'.repeat(64))).rejects.toMatchObject({ code: 'conflict' });
    await expect(decide(second, order, 'withdrawn')).rejects.toMatchObject({ code: 'not_allowed' });
    await decide(second, order, 'approved');
    expect(await stateOf(testDatabase, order.orderId)).toBe('approved');
    await expect(decide(second, order, 'approved')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('may be to withdraw, by who placed it, and only before it is created', async () => {
    const order = await aStoredOrder(testDatabase, treasurer, 'quoted');
    await decide(treasurer, order, 'withdrawn');
    expect(await stateOf(testDatabase, order.orderId)).toBe('rejected');
    for (const state of ['committed', 'created', 'funding', 'unknown'] as const) {
      const later = await aStoredOrder(testDatabase, treasurer, state, { hasConversion: state !== 'committed' });
      await expect(decide(second, later, 'rejected')).rejects.toMatchObject({ code: 'conflict' });
    }
  });

  test('releases a held order of which the provider has nothing, and no other', async () => {
    const order = await aStoredOrder(testDatabase, treasurer, 'held');
    await expect(decide(treasurer, order, 'released')).rejects.toMatchObject({ code: 'not_allowed' });
    await decide(second, order, 'released');
    expect(await stateOf(testDatabase, order.orderId)).toBe('approved');
    const created = await aStoredOrder(testDatabase, treasurer, 'held', { hasConversion: true });
    await expect(decide(second, created, 'released')).rejects.toMatchObject({ code: 'conflict' });
  });

  test('is of no order of another account, and of none that expired', async () => {
    const limited = await aUser(testDatabase, 'Lea', 'treasurer');
    await limitTo(testDatabase.database, limited, 'elsewhere');
    const order = await aStoredOrder(testDatabase, treasurer, 'in_approval');
    await expect(decide(limited, order, 'approved')).rejects.toMatchObject({ code: 'not_found' });
    await expect(placed(testDatabase, limited, anOrder())).rejects.toMatchObject({ code: 'not_allowed' });
    const unknown = { ...order, orderId: randomUUID() };
    await expect(decide(second, unknown, 'approved')).rejects.toMatchObject({ code: 'not_found' });
  });
});
