import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import { beginCreation, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { readGuardFacts } from '../../store/treasury/order-guards.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { anOrder, aQuotedOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What has to be so before a conversion is created, whatever the worker that asks has checked. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

const limits = async (of: object): Promise<void> => {
  await testDatabase.database.query('insert into policies (policy) values ($1)', [
    JSON.stringify({
      rules: [{ name: 'all', when: {}, steps: [{ role: 'checker' }] }],
      changes: { delayHours: null },
      conversions: of,
    }),
  ]);
};
beforeEach(() => limits({}));

const quoted = (values: Parameters<typeof aQuotedOrder>[2] = {}) =>
  aQuotedOrder(testDatabase, { treasurer, checker }, values);

const create = ({ orderId }: ConversionOrder) => beginCreation(testDatabase.asWorker, orderId);

async function requestOf(order: ConversionOrder): Promise<string> {
  const begun = await create(order);
  if (!('requestId' in begun)) throw new Error(begun.refused);
  return begun.requestId;
}

async function committedOn(currency: string): Promise<number> {
  const { rows } = await testDatabase.database.query<{ committed: string }>(
    'select committed::text from treasury_days where currency = $1',
    [currency],
  );
  return Number(rows[0]?.committed ?? 0);
}

describe('a conversion is begun', () => {
  test('once, however many workers try', async () => {
    const order = await quoted();
    const begun = await Promise.all([create(order), create(order), create(order)]);
    expect(begun.filter((one) => 'requestId' in one)).toHaveLength(1);
    expect(await stateOf(testDatabase, order.orderId)).toBe('committed');
  });

  test('only with an approval of exactly these terms, or below the threshold of the policy', async () => {
    const without = await quoted({ isApproved: false });
    expect(await create(without)).toEqual({ refused: 'approval_needed' });
    await limits({ limits: { [without.sellCurrency]: { approvalAbove: '1002.49' } } });
    expect(await create(without)).toEqual({ refused: 'approval_needed' });
    await limits({ limits: { [without.sellCurrency]: { approvalAbove: '1002.50' } } });
    expect(await create(without)).toHaveProperty('requestId');
    const changed = await quoted();
    await bypassTriggers(testDatabase.database, `update conversion_orders set order_hash = $2 where order_id = $1`, [
      changed.orderId,
      'b'.repeat(64),
    ]);
    expect(await create(changed)).toEqual({ refused: 'approval_needed' });
  });

  test('only up to the total that the approval covers', async () => {
    const order = await quoted();
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set quote = quote || '{"totalAmount": "1050.01"}' where order_id = $1`,
      [order.orderId],
    );
    expect(await create(order)).toEqual({ refused: 'approval_needed' });
  });

  test('only by the approval of another person than who placed it', async () => {
    const order = await quoted({ isApproved: false });
    // As somebody with the rights of the owner could.
    await testDatabase.database.query(
      `insert into conversion_decisions (order_id, decision, order_hash, decided_by)
       select order_id, 'approved', order_hash, placed_by from conversion_orders where order_id = $1`,
      [order.orderId],
    );
    expect(await create(order)).toEqual({ refused: 'approval_needed' });
  });

  test('only before the order expires, and not while a stop is in force', async () => {
    const order = await quoted();
    await testDatabase.database.query(`insert into stops (scope, account) values ('account', $1)`, [order.account]);
    expect(await create(order)).toEqual({ refused: 'stopped' });
    await testDatabase.database.query('update stops set lifted_at = now()');
    await bypassTriggers(testDatabase.database, 'update conversion_orders set expires_at = now() where order_id = $1', [
      order.orderId,
    ]);
    expect(await create(order)).toEqual({ refused: 'order_expired' });
  });

  test('only up to the maximum of one order, and its own cap', async () => {
    const order = await quoted();
    await limits({ limits: { [order.sellCurrency]: { maxOrder: '1002.49' } } });
    expect(await create(order)).toEqual({ refused: 'order_too_large' });
    await limits({ limits: { [order.sellCurrency]: { maxOrder: '1002.50' } } });
    expect(await create(order)).toHaveProperty('requestId');
    const capped = await quoted({ cap: '1002.50' });
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set cap = 1002.49, approval_covers = 2000 where order_id = $1`,
      [capped.orderId],
    );
    expect(await create(capped)).toEqual({ refused: 'order_too_large' });
  });

  test('only within the daily cap, of which orders at the same moment use each part once', async () => {
    const sellCurrency = anOrder().sellCurrency;
    const orders = await Promise.all(
      ['EUR', 'GBP', 'SGD', 'JPY'].map((buyCurrency) => quoted({ sellCurrency, buyCurrency })),
    );
    await limits({ limits: { [sellCurrency]: { dailyCap: '2500.00' } } });
    const begun = await Promise.all(orders.map(create));
    expect(begun.filter((one) => 'requestId' in one)).toHaveLength(2);
    expect(begun.filter((one) => 'refused' in one)).toEqual([
      { refused: 'daily_cap_reached' },
      { refused: 'daily_cap_reached' },
    ]);
    expect(await committedOn(sellCurrency)).toBe(2005);
    // What was not created does not count any more.
    const which = begun.findIndex((one) => 'requestId' in one);
    const first = orders[which];
    const requestId = String((begun[which] as { requestId: unknown }).requestId);
    const unsent = { requestId, outcome: 'not_sent', answer: 'not_sent', httpStatus: null } as const;
    await recordOrderAnswer(testDatabase.asWorker, unsent);
    await moveOrder(testDatabase.asWorker, first?.orderId ?? '', 'skipped', { reason: 'quote_refused' });
    expect(await committedOn(sellCurrency)).toBe(1002.5);
  });

  test('only with money that is free, which is committed to it, and free again when it comes to nothing', async () => {
    const { sellCurrency } = anOrder();
    const world = new LedgerWorld(testDatabase, sellCurrency);
    world.change(1500);
    await world.readHistory();
    const [one, other] = [await quoted({ sellCurrency }), await quoted({ sellCurrency, buyCurrency: 'GBP' })];
    const requestId = await requestOf(one);
    expect(await world.ledger()).toMatchObject({ free: 497.5, conversion: 1002.5 });
    expect(await create(other)).toEqual({ refused: 'not_enough_money' });
    await recordOrderAnswer(testDatabase.asWorker, {
      requestId,
      outcome: 'not_sent',
      answer: 'not_sent',
      httpStatus: null,
    });
    await moveOrder(testDatabase.asWorker, one.orderId, 'approved');
    expect(await world.ledger()).toMatchObject({ free: 1500, conversion: 0 });
    expect(await create(other)).toHaveProperty('requestId');
  });

  test('again with the money that stayed committed since a creation that was not seen, which counts once', async () => {
    const { sellCurrency } = anOrder();
    await limits({ limits: { [sellCurrency]: { dailyCap: '1500.00' } } });
    const world = new LedgerWorld(testDatabase, sellCurrency);
    world.change(1500);
    await world.readHistory();
    const [one, other] = [await quoted({ sellCurrency }), await quoted({ sellCurrency, buyCurrency: 'GBP' })];
    const requestId = await requestOf(one);
    const notSeen = { requestId, outcome: 'not_seen', answer: 'unknown_outcome', httpStatus: null } as const;
    await recordOrderAnswer(testDatabase.asWorker, notSeen);
    await moveOrder(testDatabase.asWorker, one.orderId, 'approved');
    expect(await world.ledger()).toMatchObject({ free: 497.5, conversion: 1002.5 });
    expect(await committedOn(sellCurrency)).toBe(1002.5);
    expect(await create(other)).toHaveProperty('refused');
    const { terms } = await readOrder(testDatabase.asWorker, one.orderId);
    expect(await readGuardFacts(testDatabase.asWorker, terms)).toMatchObject({ free: '1500.00' });
    await bypassTriggers(
      testDatabase.database,
      `update conversion_orders set state = 'quoted', quote = quote || '{"totalAmount": "1002.00"}' where order_id = $1`,
      [one.orderId],
    );
    await requestOf(one);
    expect(await world.ledger()).toMatchObject({ free: 498, conversion: 1002 });
    expect(await committedOn(sellCurrency)).toBe(1002);
  });

  test('by no statement of the worker itself', async () => {
    const order = await quoted();
    const forced = testDatabase.asWorker.query(
      `insert into conversion_requests (order_id, attempt, operation) values ($1, 1, 'create')`,
      [order.orderId],
    );
    await expect(forced).rejects.toThrow('permission denied');
    await expect(
      testDatabase.asWorker.query(`select commit_conversion('default', 'USD', $1, 1, 1)`, [order.orderId]),
    ).rejects.toThrow('permission denied');
  });
});
