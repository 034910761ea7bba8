import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import {
  confirmOrderManualOutcomeAs,
  type OrderManualOutcomeKind,
  proposeOrderManualOutcomeAs,
} from '../../store/treasury/order-decisions.ts';
import { moveOrder } from '../../store/treasury/order-transition.ts';
import { readOrder } from '../../store/treasury/orders.ts';
import { beginFunding } from '../../store/treasury/order-requests.ts';
import { concludeConversionManualOutcome } from '../../store/treasury/order-manual-outcomes.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { createTreasuryDatabase } from '../helpers/treasury-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { aCreatedOrder, aShownConversion } from './a-created-order.ts';
import { anOrder, stateOf } from './a-stored-order.ts';
import { LedgerWorld } from './ledger-world.ts';

/** Two people accept a conversion of 1,002.50 that the provider shows with other amounts. */

let testDatabase: TestDatabase;
let treasurer: TestUser;
let checker: TestUser;
let world: LedgerWorld;

beforeAll(async () => {
  ({ testDatabase, treasurer, checker } = await createTreasuryDatabase());
});
afterAll(() => testDatabase.drop());

beforeEach(async () => {
  world = new LedgerWorld(testDatabase, anOrder().sellCurrency);
  world.change(1500);
  await world.readHistory();
});

function held(shown: Partial<ShownConversion>): Promise<ConversionOrder> {
  const terms = { sellCurrency: world.currency, buyCurrency: 'SGD' };
  return aCreatedOrder(testDatabase, { treasurer, checker }, terms, shown);
}

const propose = ({ orderId }: ConversionOrder, outcome: OrderManualOutcomeKind) =>
  proposeOrderManualOutcomeAs(testDatabase.asServer, treasurer.tokenHash, { orderId, outcome, reason: 'x' });

/** Answers whether it took effect. */
async function resolve(order: ConversionOrder, outcome: OrderManualOutcomeKind): Promise<boolean> {
  const manualOutcomeId = await propose(order, outcome);
  await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, manualOutcomeId);
  return concludeConversionManualOutcome(testDatabase.asWorker, manualOutcomeId, false);
}

const fund = ({ orderId }: ConversionOrder) => beginFunding(testDatabase.asWorker, orderId);
const BEGUN = { requestId: expect.any(String) as string };

describe('the money of an accepted total', () => {
  test('stays committed if it is smaller, and only the rest is for a run that is short', async () => {
    const order = await held({ totalAmount: '1000.00', totalFees: '0.00' });
    await world.approveRun([1400]);
    expect(await world.ledger()).toMatchObject({ free: 0, run: 497.5, conversion: 1002.5 });
    expect(await resolve(order, 'fund_again')).toBe(true);
    expect(await world.ledger()).toMatchObject({ free: 0, run: 500, conversion: 1000 });
    expect(await fund(order)).toEqual(BEGUN);
  });

  test('is not taken from a run if it is larger: the manual outcome is contradicted, and nothing changes', async () => {
    const order = await held({ totalAmount: '1010.00', totalFees: '10.00' });
    await world.approveRun([1400]);
    expect(await resolve(order, 'fund_again')).toBe(false);
    expect(await world.ledger()).toMatchObject({ free: 0, run: 497.5, conversion: 1002.5 });
    expect(await stateOf(testDatabase, order.orderId)).toBe('held');
  });

  test('is committed before the request if the ledger decides by then, and nothing is sent without it', async () => {
    const order = await held({ totalAmount: '1000.00', totalFees: '0.00' });
    expect(await resolve(order, 'fund_again')).toBe(true);
    // As if it had been created while the ledger did not decide.
    await testDatabase.database.query(`select release_conversion('default', $1, $2)`, [world.currency, order.orderId]);
    await world.approveRun([1000]);
    expect(await fund(order)).toEqual({ refused: 'not_enough_money' });
    world.change(500);
    await world.readHistory();
    expect(await fund(order)).toEqual(BEGUN);
    expect(await world.ledger()).toMatchObject({ run: 1000, conversion: 1000 });
  });
});

test('a debit that the ledger posted for a conversion, and that is of an equal payment, leaves it the money of that one', async () => {
  world.change(1000);
  await world.readHistory();
  await world.approveRun([1000]);
  const paymentId = world.runs[0]?.paymentIds[0] ?? '';
  const order = await held({ totalAmount: '1002.50', totalFees: '2.51' });
  await resolve(order, 'fund_again');
  // Asked for first, so that the ledger takes the debit of the payment for its own.
  expect(await fund(order)).toEqual(BEGUN);
  await world.create(paymentId, 2.5, 'took_effect');
  await world.fund(paymentId, 'answered');
  await world.readHistory();
  expect(await world.ledger()).toMatchObject({ conversion: 0, payment: 1002.5 });
  await bypassTriggers(
    testDatabase.database,
    `update conversion_requests set outcome = 'not_seen', answer = 'unknown_outcome' where order_id = $1 and operation = 'fund'`,
    [order.orderId],
  );
  await testDatabase.database.query('update conversion_orders set unfunded_at = now() where order_id = $1', [
    order.orderId,
  ]);
  expect(await fund(order)).toEqual(BEGUN);
  expect(await world.ledger()).toMatchObject({ conversion: 1002.5, payment: 0 });
  expect(await world.wrongBalances()).toEqual([]);
});

test.each<Partial<ShownConversion>>([
  { buyAmount: '899.00' },
  { sellAmount: '999.00', totalFees: '3.50' },
  { totalAmount: '1003.50', totalFees: '3.50' },
])('what two people accept is what is waited for and matched: %j', async (differences) => {
  const order = await held(differences);
  expect(await resolve(order, 'fund_again')).toBe(true);
  const { sellAmount, buyAmount, totalAmount } = aShownConversion(order, differences);
  expect(await readOrder(testDatabase.asWorker, order.orderId)).toMatchObject({ sellAmount, buyAmount, totalAmount });
});

test.each<Partial<ShownConversion>>([
  { totalAmount: '1003.60', totalFees: '3.60' },
  { buyAmount: '899.00' },
  { sellAmount: '999.00' },
])('what the provider shows only after they have said so was accepted by nobody: %j', async (later) => {
  const accepted = { totalAmount: '1003.50', totalFees: '3.50' };
  const order = await held(accepted);
  const manualOutcomeId = await propose(order, 'fund_again');
  await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, manualOutcomeId);
  const show = (parts: Partial<ShownConversion>) =>
    testDatabase.database.query('update conversion_orders set shown = $2 where order_id = $1', [
      order.orderId,
      JSON.stringify(aShownConversion(order, { ...accepted, ...parts })),
    ]);
  await show(later);
  expect(await concludeConversionManualOutcome(testDatabase.asWorker, manualOutcomeId, false)).toBe(false);
  expect(await stateOf(testDatabase, order.orderId)).toBe('held');
  expect(await fund(order)).toEqual({ refused: 'state' });
  // Accepted as it is now, also with another way to write it.
  await show({ ...later, totalAmount: `${later.totalAmount ?? accepted.totalAmount}0` });
  expect(await resolve(order, 'fund_again')).toBe(true);
});

describe('a conversion that is not the order’s', () => {
  test.each<[string, Partial<ShownConversion>]>([
    ['of another sell currency', { sellCurrency: 'JPY' }],
    ['of another buy currency', { buyCurrency: 'THB' }],
    ['under another reference', { referenceId: 'of somebody else' }],
  ])('%s is not funded, whoever accepts it', async (_, shown) => {
    const order = await held(shown);
    await expect(propose(order, 'fund_again')).rejects.toMatchObject({ code: 'conflict' });
    // Proposed before it was shown.
    await testDatabase.database.query('update conversion_orders set shown = null where order_id = $1', [order.orderId]);
    const manualOutcomeId = await propose(order, 'fund_again');
    await confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, manualOutcomeId);
    await testDatabase.database.query('update conversion_orders set shown = $2 where order_id = $1', [
      order.orderId,
      JSON.stringify(aShownConversion(order, shown)),
    ]);
    expect(await concludeConversionManualOutcome(testDatabase.asWorker, manualOutcomeId, false)).toBe(false);
    expect(await stateOf(testDatabase, order.orderId)).toBe('held');
    expect(await fund(order)).toEqual({ refused: 'state' });
    expect(await resolve(order, 'lapsed')).toBe(true);
  });

  test('is told apart by our reference', async () => {
    const { orderId, ...order } = await held({ buyAmount: '899.00' });
    const shown = aShownConversion({ orderId, ...order }, { referenceId: referenceIdOf(orderId, 1) });
    await testDatabase.database.query('update conversion_orders set shown = $2 where order_id = $1', [
      orderId,
      JSON.stringify(shown),
    ]);
    expect(await resolve({ orderId, ...order }, 'fund_again')).toBe(true);
  });
});

describe('who placed an order', () => {
  test('does not confirm what became of it, whoever proposed that', async () => {
    const second = await aUser(testDatabase, 'Tom', 'treasurer');
    const { orderId } = await held({ totalAmount: '1003.50', totalFees: '3.50' });
    const proposal = { orderId, outcome: 'fund_again', reason: 'x' } as const;
    const manualOutcomeId = await proposeOrderManualOutcomeAs(testDatabase.asServer, second.tokenHash, proposal);
    const confirm = (user: TestUser) =>
      confirmOrderManualOutcomeAs(testDatabase.asServer, user.tokenHash, manualOutcomeId);
    await expect(confirm(treasurer)).rejects.toMatchObject({
      code: 'not_allowed',
      message: 'who placed an order cannot confirm what became of it; ask another person',
    });
    const { rows } = await testDatabase.database.query<{ why: string }>(
      `select detail ->> 'why' as why from audit_entries where detail ->> 'order' = $1 and detail ->> 'why' is not null`,
      [orderId],
    );
    expect(rows).toEqual([{ why: 'placer_confirms' }]);
    await confirm(checker);
    expect(await concludeConversionManualOutcome(testDatabase.asWorker, manualOutcomeId, false)).toBe(true);
  });
});

test('that the money has come is no open proposal any more once its exact credit is found', async () => {
  const order = await held({ totalAmount: '1003.50', totalFees: '3.50' });
  const move = (values: string) =>
    bypassTriggers(testDatabase.database, `update conversion_orders set ${values} where order_id = $1`, [
      order.orderId,
    ]);
  await move(`state = 'unknown', funded_at = now()`);
  const manualOutcomeId = await propose(order, 'settled');
  const state = async () =>
    (
      await testDatabase.database.query<{ state: string }>(
        'select state from conversion_manual_outcomes where manual_outcome_id = $1',
        [manualOutcomeId],
      )
    ).rows[0]?.state;
  expect(await moveOrder(testDatabase.asWorker, order.orderId, 'completed')).toBe(true);
  expect(await state()).toBe('proposed');
  expect(await moveOrder(testDatabase.asWorker, order.orderId, 'settled')).toBe(true);
  expect(await state()).toBe('contradicted');
  await expect(
    confirmOrderManualOutcomeAs(testDatabase.asServer, checker.tokenHash, manualOutcomeId),
  ).rejects.toMatchObject({
    code: 'conflict',
  });
});
