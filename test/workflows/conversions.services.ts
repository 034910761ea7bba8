import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { conversionWorkflowId } from '../../domain/identifiers.ts';
import { startConversionWatch } from '../../workers/conversion-watch.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import {
  approveOrder,
  countRequests,
  expectConvertedOnce,
  findOrder,
  follow,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import {
  convertAtHardProvider,
  expectSettledAfterRestart,
  expectSettledWhatever,
} from '../helpers/hard-conversions.ts';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import type { TestUser } from '../helpers/users.ts';

/** Orders to convert, from their placing to the credit of the bought money. Faults of reads: conversions.long.ts. */

const hard = convertAtHardProvider();
let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(() => {
  ({ payrun, treasurer } = hard());
});

describe('an order', () => {
  test('is approved, created, funded, completed and settled, and the ledger follows it', async () => {
    await setConversionPolicy(payrun, {});
    await follow(payrun, 'USD', '100000.00');
    const { orderId, state } = await placeOrder(payrun, treasurer, { maxCostBps: '500' });
    expect(state).toBe('proposed');
    await approveOrder(payrun, orderId);
    const order = await untilOrder(payrun, orderId, 'settled');
    expect(order).toMatchObject({
      quote: { sellAmount: '1000.00', totalAmount: '1002.50' },
      providerStatus: 'completed',
      decisions: [{ decision: 'approved', by: { name: 'Chris Checker' } }],
    });
    expect(order.findings.filter(({ verdict }) => verdict === 'refuses')).toEqual([]);
    expect(Number(order.costBps)).toBeGreaterThan(0);
    expect(['create', 'fund'].map((of) => countRequests(order, of as 'create'))).toEqual([1, 1]);
    expectConvertedOnce(payrun);
    expect(payrun.sandbox.ledger().balances['USD']).toBe('98997.50');
    const { rows } = await payrun.database.query(
      `select sum(amount)::float8 as committed from ledger_balances where kind = 'conversion'`,
    );
    expect(rows).toEqual([{ committed: 0 }]);
  });

  test('that fixes what is bought sells at most what its limit price allows', async () => {
    const bought = await placeOrder(payrun, treasurer, {
      ...{ buyCurrency: 'GBP', fixedSide: 'buy', amount: '500.00' },
      limitPrice: { sellPerBuyAtMost: '2' },
    });
    expect((await untilOrder(payrun, bought.orderId, 'settled')).quote).toMatchObject({ buyAmount: '500.00' });
    const refused = await placeOrder(payrun, treasurer, {
      ...{ buyCurrency: 'GBP', fixedSide: 'buy', amount: '500.00' },
      limitPrice: { sellPerBuyAtMost: '1' },
    });
    expect(await untilOrder(payrun, refused.orderId, 'skipped')).toMatchObject({
      stateReason: 'price_beyond_limit',
      conversionId: null,
    });
    expectConvertedOnce(payrun);
  });

  test('placed twice under one key is one, and two of one pair in the same second are one', async () => {
    const key = randomUUID();
    const [one, again] = await Promise.all([
      placeOrder(payrun, treasurer, { buyCurrency: 'SGD', expiresAt: '2099-01-01T00:00:00Z' }, key),
      placeOrder(payrun, treasurer, { buyCurrency: 'SGD', expiresAt: '2099-01-01T00:00:00Z' }, key),
    ]);
    expect(one.orderId).toBe(again.orderId);
    await untilOrder(payrun, one.orderId, 'settled');
    const before = payrun.sandbox.ledger().requests.byOperation['conversion-create'] ?? 0;
    const both = await Promise.allSettled([
      placeOrder(payrun, treasurer, { buyCurrency: 'SGD' }),
      placeOrder(payrun, treasurer, { sellCurrency: 'SGD', buyCurrency: 'USD' }),
    ]);
    const [first] = both.flatMap((placed) => (placed.status === 'fulfilled' ? [placed.value] : []));
    expect(both.filter(({ status }) => status === 'rejected')).toHaveLength(1);
    await untilOrder(payrun, first?.orderId ?? '', 'settled');
    expect(payrun.sandbox.ledger().requests.byOperation['conversion-create']).toBe(before + 1);
    expectConvertedOnce(payrun);
  });

  test('above the threshold of its policy by its quote asks for an approval then', async () => {
    await setConversionPolicy(payrun, { limits: { USD: { approvalAbove: '1002.00' } } });
    const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'AUD' });
    const asked = await untilOrder(payrun, orderId, 'in_approval');
    expect(asked).toMatchObject({ stateReason: 'approval_needed', quote: { totalAmount: '1002.50' } });
    await approveOrder(payrun, orderId);
    await untilOrder(payrun, orderId, 'settled');
    expectConvertedOnce(payrun);
  });

  test('is rejected by another person, and expires when nobody decides', async () => {
    await setConversionPolicy(payrun, {});
    const rejected = await placeOrder(payrun, treasurer, { buyCurrency: 'CAD' });
    const { orderHash } = await untilOrder(payrun, rejected.orderId, 'in_approval');
    const decision = { orderHash, reason: 'not now' };
    await payrun.application.decideOrder(payrun.checker, rejected.orderId, 'rejected', decision);
    await untilOrder(payrun, rejected.orderId, 'rejected');
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'CAD', expiresAt });
    expect(await untilOrder(payrun, orderId, 'expired')).toMatchObject({ stateReason: 'not_approved_in_time' });
  });

  test('waits while a stop of the account is in force', async () => {
    await payrun.application.stopPayments(payrun.maker, { scope: 'account', account: 'default' }, null);
    const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'CHF' });
    await untilOrder(payrun, orderId, 'approved');
    const handle = payrun.temporal.workflow.getHandle(conversionWorkflowId(orderId));
    await until(async () => {
      const { raw } = await handle.describe();
      return (raw.pendingActivities ?? []).some(({ activityType, attempt }) => {
        return activityType?.name === 'quoteConversion' && Number(attempt) > 1;
      });
    });
    expect((await findOrder(payrun, orderId)).requests).toEqual([]);
    await payrun.database.query('update stops set lifted_at = now()');
    const { orderHash } = await findOrder(payrun, orderId);
    await payrun.application.decideOrder(treasurer, orderId, 'withdrawn', { orderHash, reason: null });
    await untilOrder(payrun, orderId, 'rejected');
  });
});

describe('whatever becomes of a request', () => {
  test.each(['conversion-quote', 'conversion-create'])(
    '%s, the order is settled, created once and funded once',
    (operation) => expectSettledWhatever(hard(), operation),
  );

  test('conversion-create, and of the lookup after it', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'conversion-create', kind: 'reset_after' },
      { operation: 'conversion-find', kind: 'error_before', nth: 1 },
      { operation: 'conversion-find', kind: 'reset_after', nth: 2 },
    );
    const { orderId } = await placeOrder(payrun, treasurer);
    const order = await untilOrder(payrun, orderId, 'settled');
    expect(countRequests(order, 'create')).toBe(1);
    await expectAllFaultsApplied(payrun.sandbox);
    expectConvertedOnce(payrun);
  });
});

describe('an order', () => {
  test('whose terms somebody changed in the database is held, and nothing is created', async () => {
    await setConversionPolicy(payrun, {});
    const { orderId, orderHash } = await placeOrder(payrun, treasurer, { buyCurrency: 'CHF' });
    await untilOrder(payrun, orderId, 'in_approval');
    await bypassTriggers(payrun.database, 'update conversion_orders set amount = 900000.00 where order_id = $1', [
      orderId,
    ]);
    const before = payrun.sandbox.ledger().requests.byOperation;
    await payrun.application.decideOrder(payrun.checker, orderId, 'approved', { orderHash, reason: null });
    const judged = await untilOrder(payrun, orderId, 'held', 'in_approval', 'settled');
    expect(judged).toMatchObject({ state: 'held', stateReason: 'order_not_as_approved' });
    expect(payrun.sandbox.ledger().requests.byOperation['conversion-quote']).toBe(before['conversion-quote']);
    await payrun.application.decideOrder(payrun.checker, orderId, 'rejected', { orderHash, reason: null });
  });

  test('that somebody wrote into the database is not funded', async () => {
    await setConversionPolicy(payrun, {});
    const { orderId, orderHash } = await placeOrder(payrun, treasurer, { buyCurrency: 'HKD' });
    await untilOrder(payrun, orderId, 'in_approval');
    await bypassTriggers(
      payrun.database,
      `insert into conversion_decisions (order_id, decision, order_hash, decided_by)
       select order_id, 'approved', order_hash, $2 from conversion_orders where order_id = $1`,
      [orderId, payrun.checker.userId],
    );
    await bypassTriggers(
      payrun.database,
      `update conversion_orders set state = 'created', conversion_id = 'of-somebody', conversion_mac = 'forged',
         total_amount = 1002.50, sell_amount = 1000, buy_amount = 900 where order_id = $1`,
      [orderId],
    );
    const before = payrun.sandbox.ledger().requests.byOperation['conversion-fund'];
    await payrun.temporal.workflow.getHandle(conversionWorkflowId(orderId)).signal('conversionChanged');
    const judged = await untilOrder(payrun, orderId, 'held', 'funding');
    expect(judged).toMatchObject({ state: 'held', stateReason: 'order_not_as_approved' });
    expect(payrun.sandbox.ledger().requests.byOperation['conversion-fund']).toBe(before);
    expect((await findOrder(payrun, orderId)).orderHash).toBe(orderHash);
  });
});

describe('a workflow that is lost', () => {
  test('is started again, and converts once', async () => {
    const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'JPY' });
    await until(async () => (await findOrder(payrun, orderId)).conversionId !== null);
    await payrun.temporal.workflow
      .getHandle(conversionWorkflowId(orderId))
      .terminate()
      .catch(() => undefined);
    await payrun.database.query(`update conversion_orders set looked_at = now() - interval '3 hours'`);
    const { asWorker } = payrun.testDatabase;
    const watch = startConversionWatch({
      ...{ database: asWorker, temporal: payrun.temporal, warn: () => undefined },
      everyMs: 50,
    });
    await untilOrder(payrun, orderId, 'settled');
    await watch.stop();
    expectConvertedOnce(payrun);
  });
});

describe('workers that are restarted', () => {
  test('convert the rest: nothing is created or funded twice', () => expectSettledAfterRestart(hard(), 'created'));
});
