import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { conversionWorkflowId } from '../../domain/identifiers.ts';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import { startConversionWatch } from '../../workers/conversion-watch.ts';
import { startAnswerProxy } from '../helpers/answer-proxy.ts';
import {
  approveOrder,
  countRequests,
  expectConvertedOnce,
  findOrder,
  follow,
  NO_APPROVALS,
  placeOrder,
  setConversionPolicy,
  untilOrder,
} from '../helpers/conversions-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, expectAllFaultsApplied, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Orders to convert, from their placing to the credit of the bought money. */

let payrun: PayrunUnderTest;
let treasurer: TestUser;

beforeAll(async () => {
  // The hardest provider: it takes a reference twice, and funds twice.
  payrun = await startPayrun({ sandbox: { duplicateReference: 'create', secondFunding: 'charge' } });
  treasurer = await aUser(payrun.testDatabase, 'Tessa Treasurer', 'treasurer');
});
beforeEach(() => setConversionPolicy(payrun, NO_APPROVALS));
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

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

  test('is declined by another person, and expires when nobody decides', async () => {
    await setConversionPolicy(payrun, {});
    const declined = await placeOrder(payrun, treasurer, { buyCurrency: 'CAD' });
    const { orderHash } = await untilOrder(payrun, declined.orderId, 'in_approval');
    const decision = { orderHash, reason: 'not now' };
    await payrun.application.decideOrder(payrun.checker, declined.orderId, 'declined', decision);
    await untilOrder(payrun, declined.orderId, 'declined');
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
    await untilOrder(payrun, orderId, 'declined');
  });
});

describe('whatever becomes of a request', () => {
  const BEFORE: readonly FaultKind[] = ['error_before', 'error_html_before', 'reset_before', 'rate_limited', 'slow'];
  const AFTER: readonly FaultKind[] = ['error_after', 'reset_after', 'cut_after', 'not_json_after', 'empty_after'];
  const PAIRS = ['EUR', 'GBP', 'SGD', 'JPY', 'AUD', 'CAD', 'CHF', 'HKD', 'NZD', 'IDR'];

  test.each([
    'balance-history',
    'balance-find',
    'currency-rate',
    'conversion-quote',
    'conversion-create',
    'conversion-get',
  ])('%s, the order is settled, created once and funded once', async (operation) => {
    const kinds = [...BEFORE, ...AFTER];
    await orderFaults(payrun.sandbox, ...kinds.map((kind, at) => ({ operation, kind, nth: at + 1 })));
    const orders = await Promise.all(PAIRS.map((buyCurrency) => placeOrder(payrun, treasurer, { buyCurrency })));
    for (const { orderId } of orders) await untilOrder(payrun, orderId, 'settled');
    await expectAllFaultsApplied(payrun.sandbox);
    expectConvertedOnce(payrun);
  });

  test('conversion-create, and of the look-up after it', async () => {
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

describe('a conversion with other amounts than its quote', () => {
  let altered: PayrunUnderTest;
  let other: TestUser;
  /** Changes what the provider shows of a conversion. */
  let change: (conversion: Record<string, unknown>) => void = () => undefined;

  beforeAll(async () => {
    const changed = (body: string): string => {
      if (!body.includes('"conversionId"')) return body;
      const answer = JSON.parse(body) as { data?: Record<string, unknown> };
      if (answer.data?.['conversionId'] !== undefined) change(answer.data);
      return JSON.stringify(answer);
    };
    altered = await startPayrun({
      sandbox: { secondFunding: 'charge' },
      startProxy: async (url) => (await startAnswerProxy(url, changed)).url,
    });
    other = await aUser(altered.testDatabase, 'Tessa Treasurer', 'treasurer');
    await setConversionPolicy(altered, NO_APPROVALS);
    await follow(altered, 'USD', '100000.00');
  });
  afterAll(() => altered.stop());

  async function heldOrder(buyCurrency: string): Promise<string> {
    change = (conversion) => {
      conversion['totalAmount'] = 1003.5;
    };
    const { orderId } = await placeOrder(altered, other, { buyCurrency });
    await untilOrder(altered, orderId, 'held');
    return orderId;
  }

  async function committedTo(orderId: string): Promise<unknown> {
    const { rows } = await altered.database.query<{ amount: number }>(
      `select amount::float8 from ledger_balances where ledger_account = 'conversion/' || $1::text`,
      [orderId],
    );
    return rows[0]?.amount;
  }

  test('is held, its money stays committed, and nothing is funded', async () => {
    const orderId = await heldOrder('HKD');
    expect(await findOrder(altered, orderId)).toMatchObject({
      stateReason: 'created_differs',
      quote: { totalAmount: '1002.50' },
      shown: { totalAmount: '1003.5' },
    });
    expect(altered.sandbox.ledger().requests.byOperation['conversion-fund'] ?? 0).toBe(0);
    expect(await committedTo(orderId)).toBe(1002.5);
  });

  test('is funded when two people accept it', async () => {
    const orderId = await heldOrder('EUR');
    const { resolutions } = await altered.application.proposeOrderResolution(other, orderId, {
      outcome: 'fund_again',
      reason: 'the provider has explained it',
    });
    const resolutionId = resolutions[0]?.resolutionId ?? '';
    const own = altered.application.confirmOrderResolution(other, orderId, { resolutionId });
    await expect(own).rejects.toMatchObject({ code: 'not_allowed' });
    expect(altered.sandbox.ledger().requests.byOperation['conversion-fund'] ?? 0).toBe(0);
    await altered.application.confirmOrderResolution(altered.checker, orderId, { resolutionId });
    await untilOrder(altered, orderId, 'settled');
    expect(altered.sandbox.ledger().requests.byOperation['conversion-fund']).toBe(1);
    expectConvertedOnce(altered);
  });

  test('lapses when its cut-off has passed, and its money is free again', async () => {
    const orderId = await heldOrder('NZD');
    await altered.database.query('update conversion_orders set funding_cutoff_at = now() where order_id = $1', [
      orderId,
    ]);
    change = (conversion) => {
      conversion['fundingCutoffTime'] = new Date(Date.now() - 60_000).toISOString();
    };
    await altered.temporal.workflow.getHandle(conversionWorkflowId(orderId)).signal('conversionChanged');
    expect(await untilOrder(altered, orderId, 'lapsed')).toMatchObject({ stateReason: 'cutoff_passed' });
    expect(await committedTo(orderId)).toBe(0);
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
  test('convert the rest: nothing is created or funded twice', async () => {
    for (const stage of ['quoted', 'created', 'funded'] as const) {
      const { orderId } = await placeOrder(payrun, treasurer, { buyCurrency: 'GBP' });
      await until(async () => hasReached(await findOrder(payrun, orderId), stage));
      await payrun.restartWorkers();
      await untilOrder(payrun, orderId, 'settled');
    }
    expectConvertedOnce(payrun);
  });
});

function hasReached(
  { quote, conversionId, fundedAt }: Awaited<ReturnType<typeof findOrder>>,
  stage: 'quoted' | 'created' | 'funded',
): boolean {
  if (stage === 'quoted') return quote !== null;
  return stage === 'created' ? conversionId !== null : fundedAt !== null;
}
