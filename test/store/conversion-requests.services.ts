import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import {
  confirmOrderResolutionAs,
  type OrderResolution,
  proposeOrderResolutionAs,
} from '../../store/treasury/order-decisions.ts';
import { beginCreation, beginFunding, recordOrderAnswer } from '../../store/treasury/order-requests.ts';
import { concludeResolution } from '../../store/treasury/order-resolutions.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anOrder, aQuotedOrder, aStoredOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** What has to be so before a conversion is created or funded, whatever the worker that asks has checked. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  treasurer = await aUser(testDatabase, 'Tessa', 'treasurer');
  checker = await aUser(testDatabase, 'Chris', 'checker');
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
    const first = orders[begun.findIndex((one) => 'requestId' in one)];
    await moveOrder(testDatabase.asWorker, first?.orderId ?? '', 'skipped', { reason: 'quote_refused' });
    expect(await committedOn(sellCurrency)).toBe(1002.5);
  });

  test('only with money that is free, which is committed to it, and free again when it comes to nothing', async () => {
    const { sellCurrency } = anOrder();
    const world = new LedgerWorld(testDatabase, sellCurrency);
    world.change(1500);
    await world.readHistory();
    const [one, other] = [await quoted({ sellCurrency }), await quoted({ sellCurrency, buyCurrency: 'GBP' })];
    expect(await create(one)).toHaveProperty('requestId');
    expect(await world.ledger()).toMatchObject({ free: 497.5, conversion: 1002.5 });
    expect(await create(other)).toEqual({ refused: 'not_enough_money' });
    await moveOrder(testDatabase.asWorker, one.orderId, 'approved');
    expect(await world.ledger()).toMatchObject({ free: 1500, conversion: 0 });
    expect(await create(other)).toHaveProperty('requestId');
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

describe('a conversion is funded', () => {
  /** Created with the provider. */
  async function created(): Promise<ConversionOrder> {
    const order = await quoted();
    const begun = await create(order);
    if (!('requestId' in begun)) throw new Error(begun.refused);
    const { requestId } = begun;
    await recordOrderAnswer(testDatabase.asWorker, {
      requestId,
      outcome: 'took_effect',
      answer: 'as_asked',
      httpStatus: 200,
    });
    const shown = { ...aShown(order), referenceId: null };
    await moveOrder(testDatabase.asWorker, order.orderId, 'created', {
      conversion: {
        conversionId: order.orderId,
        conversionSeal: 's',
        shown,
        status: 'awaiting_funds',
        fundingCutoffMs: null,
      },
    });
    return order;
  }

  const aShown = ({ sellCurrency, buyCurrency }: ConversionOrder) => ({
    ...{ sellCurrency, buyCurrency, fixedSide: 'sell', sellAmount: '1000.00', buyAmount: '900.00' },
    ...{ totalAmount: '1002.50', totalFees: '2.50' },
  });

  const fund = ({ orderId }: ConversionOrder) => beginFunding(testDatabase.asWorker, orderId);

  async function fundedOnce(order: ConversionOrder, outcome: 'had_no_effect' | 'took_effect'): Promise<void> {
    const begun = await fund(order);
    if (!('requestId' in begun)) throw new Error(begun.refused);
    const { requestId } = begun;
    await recordOrderAnswer(testDatabase.asWorker, { requestId, outcome, answer: 'unknown_outcome', httpStatus: null });
  }

  test('once while the outcome is not known, however many workers try', async () => {
    const order = await created();
    const begun = await Promise.all([fund(order), fund(order), fund(order)]);
    expect(begun.filter((one) => 'requestId' in one)).toHaveLength(1);
    expect(await fund(order)).toEqual({ refused: 'state' });
  });

  test('never again once a request has taken effect', async () => {
    const order = await created();
    await fundedOnce(order, 'took_effect');
    expect(await fund(order)).toEqual({ refused: 'state' });
    const forced = testDatabase.database.query(
      `insert into conversion_requests (order_id, attempt, operation) values ($1, 1, 'fund')`,
      [order.orderId],
    );
    await expect(forced).rejects.toThrow('one_conversion_request');
  });

  test('at most twice if the requests had no effect, unless two people say once more', async () => {
    const order = await created();
    await fundedOnce(order, 'had_no_effect');
    await fundedOnce(order, 'had_no_effect');
    expect(await fund(order)).toEqual({ refused: 'asked_twice' });
    await moveOrder(testDatabase.asWorker, order.orderId, 'unknown', { reason: 'second_funding_undecided' });
    await resolve(order, 'fund_again');
    expect(await stateOf(testDatabase, order.orderId)).toBe('created');
    await fundedOnce(order, 'had_no_effect');
    expect(await fund(order)).toEqual({ refused: 'asked_twice' });
  });

  test('not after the cut-off', async () => {
    const order = await created();
    await testDatabase.database.query('update conversion_orders set funding_cutoff_at = now() where order_id = $1', [
      order.orderId,
    ]);
    expect(await fund(order)).toEqual({ refused: 'cutoff_passed' });
  });

  test('if it has other amounts, only when two people accept them and they were allowed', async () => {
    const { sellCurrency } = anOrder();
    const world = new LedgerWorld(testDatabase, sellCurrency);
    world.change(5000);
    await world.readHistory();
    for (const [total, isAccepted] of [
      ['1010.00', true],
      ['1050.01', false],
    ] as const) {
      const order = await quoted({ sellCurrency, buyCurrency: isAccepted ? 'GBP' : 'SGD' });
      await create(order);
      await moveOrder(testDatabase.asWorker, order.orderId, 'held', {
        reason: 'created_differs',
        conversion: {
          ...{ conversionId: order.orderId, conversionSeal: 's', status: 'awaiting_funds', fundingCutoffMs: null },
          shown: { ...aShown(order), totalAmount: total, referenceId: null },
        },
      });
      await resolve(order, 'fund_again');
      expect(await stateOf(testDatabase, order.orderId)).toBe(isAccepted ? 'funding' : 'held');
      expect(await fund(order)).toEqual(
        isAccepted ? { requestId: expect.any(String) as string } : { refused: 'state' },
      );
    }
    expect(await world.ledger()).toMatchObject({ conversion: 1010 + 1002.5 });
  });

  async function resolve({ orderId }: ConversionOrder, outcome: OrderResolution): Promise<void> {
    const { asServer, asWorker } = testDatabase;
    const resolutionId = await proposeOrderResolutionAs(asServer, treasurer.proof, { orderId, outcome, reason: 'x' });
    await expect(confirmOrderResolutionAs(asServer, treasurer.proof, resolutionId)).rejects.toMatchObject({
      code: 'not_allowed',
    });
    // Nothing happens before a second person has confirmed it.
    expect(await concludeResolution(asWorker, resolutionId, false)).toBe(false);
    await confirmOrderResolutionAs(asServer, checker.proof, resolutionId);
    await concludeResolution(asWorker, resolutionId, false);
  }

  test('by no resolution that does not fit the state, nor one that the provider contradicts', async () => {
    const order = await aStoredOrder(testDatabase, treasurer, 'unknown', { hasConversion: true });
    const { asServer, asWorker } = testDatabase;
    const propose = (outcome: OrderResolution) =>
      proposeOrderResolutionAs(asServer, treasurer.proof, { orderId: order.orderId, outcome, reason: 'x' });
    await expect(propose('never_created')).rejects.toMatchObject({ code: 'conflict' });
    const resolutionId = await propose('lapsed');
    await expect(propose('funded')).rejects.toMatchObject({ code: 'conflict' });
    await confirmOrderResolutionAs(asServer, checker.proof, resolutionId);
    expect(await concludeResolution(asWorker, resolutionId, true)).toBe(false);
    expect(await stateOf(testDatabase, order.orderId)).toBe('unknown');
    expect(await concludeResolution(asWorker, resolutionId, false)).toBe(false);
  });

  test('and the outcome of a request is written once', async () => {
    const order = await created();
    await fundedOnce(order, 'took_effect');
    const taken = testDatabase.asWorker.query(
      `update conversion_requests set outcome = 'had_no_effect' where order_id = $1 and operation = 'fund'`,
      [order.orderId],
    );
    await expect(taken).rejects.toThrow('written once');
  });
});
