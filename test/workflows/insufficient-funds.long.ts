import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { liftAs } from '../helpers/lifting-stops.ts';
import { type PayrunUnderTest, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import {
  clearFaults,
  depositMoney,
  expectPaidOnce,
  forcePayment,
  orderFaults,
  paymentsAt,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { startWithoutLedger, untilWaiting } from '../helpers/waiting-for-money.ts';

/** What is rarer where the provider alone decides what may be funded. */

const CONCURRENCY_LIMIT = 5;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithoutLedger({ concurrencyLimitOf: () => CONCURRENCY_LIMIT });
});
afterAll(() => payrun.stop());

describe('an insufficient balance', () => {
  test('pays what new funds cover, in the order of the file, and sends no other fund request', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const amounts = ['400.00', '100.00', '900.00', '50.00'];
    const rows = amounts.flatMap((amount) => newRows(1, { amount }));
    const runId = await beginRun(payrun, rows);
    await untilWaiting(payrun, runId, 4);
    await depositMoney(payrun.sandbox, 'USD', '600.00');
    const [left] = await untilWaiting(payrun, runId, 1);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 3);
    const row = (await payrun.application.listRows(runId, { limit: 10, afterLine: 0, state: null })).find(
      ({ paymentId }) => paymentId === left?.paymentId,
    );
    expect([row?.sellAmount, left?.asked]).toEqual(['900.00', 1]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('does not block a payment whose workflow was terminated', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2, { amount: '100.00' }));
    const waiting = await untilWaiting(payrun, runId, 2);
    for (const { paymentId } of waiting) {
      await payrun.temporal.workflow.getHandle(paymentWorkflowId(paymentId)).terminate();
    }
    const { stopId } = await payrun.application.stopPayments(payrun.maker, { scope: 'run', runId }, null);
    for (const user of [payrun.maker, payrun.checker]) await liftAs(payrun, user, stopId);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('funds that never arrive', () => {
  let short: PayrunUnderTest;

  beforeAll(async () => {
    // After that time the provider accepts no funding.
    short = await startWithoutLedger({
      concurrencyLimitOf: () => CONCURRENCY_LIMIT,
      sandbox: { fundingDeadlineMs: 3_000 },
    });
    await setBalance(short.sandbox, 'SGD', '0.00');
  });
  afterAll(() => short.stop());

  test('end the waiting payments after the cut-off time, by a read, and rows that were not begun', async () => {
    const rows = [
      ...newRows(2 * CONCURRENCY_LIMIT, { amount: '100.00', sell_currency: 'SGD' }),
      ...newRows(2, { amount: '100.00' }),
    ];
    const runId = await beginRun(short, rows);
    const run = await untilRun(short.application, runId, 'partially_completed');
    const all = await short.application.listRows(runId, { limit: 100, afterLine: 0, state: null });
    const ends = new Set(all.map(({ state, errorCode }) => `${state} ${errorCode ?? ''}`.trim()));
    expect([...ends].sort()).toEqual(['held funds_not_received_in_time', 'paid', 'unknown not_funded_in_time']);
    expect(run.rows.paid).toBe(2);
    // An unfunded payment there must not be submitted again; a held one was never there.
    const there = await paymentsAt(short.sandbox);
    expect(there.filter(({ status }) => status === 'awaiting_funds')).toHaveLength(run.rows.unknown ?? -1);
    expect(there).toHaveLength((run.rows.unknown ?? -1) + 2);
  });

  test('do not make a payment count as refused despite enough funds if the balances cannot be read', async () => {
    await setBalance(payrun.sandbox, 'SGD', '0.00');
    await orderFaults(payrun.sandbox, { operation: 'balance-find', kind: 'error_before', status: 500, times: 10_000 });
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00', sell_currency: 'SGD' }));
    await untilWaiting(payrun, runId, 1);
    await clearFaults(payrun.sandbox);
    await depositMoney(payrun.sandbox, 'SGD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('let rows continue that waited behind a payment of another run, once that no longer waits', async () => {
    await setBalance(payrun.sandbox, 'SGD', '0.00');
    const before = await beginRun(payrun, newRows(1, { amount: '100.00', sell_currency: 'SGD' }));
    await untilWaiting(payrun, before, 1);
    const later = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    const runId = await beginRun(payrun, [
      ...newRows(1, { amount: '40.00', sell_currency: 'SGD' }),
      ...newRows(1, { amount: '10.00', pay_on: later }),
    ]);
    await until(async () => (await payrun.application.findRun(runId))?.stateReason?.includes(later) === true);
    const [payment] = (await paymentsAt(payrun.sandbox)).filter(({ referenceId }) => referenceId !== null).slice(-1);
    await forcePayment(payrun.sandbox, payment?.id ?? '', 'rejected');
    await untilPaid(payrun, before);
    await depositMoney(payrun.sandbox, 'SGD', '1000.00');
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 1);
  });
});
