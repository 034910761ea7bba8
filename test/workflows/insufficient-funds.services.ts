import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid, untilQuiet } from '../helpers/run-under-test.ts';
import {
  depositMoney,
  clearFaults,
  expectPaidOnce,
  forcePayment,
  orderFaults,
  paymentsAt,
  setBalance,
} from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { withoutHistory } from '../helpers/without-history.ts';

const QUIET_MS = 300;
const WINDOW = 5;
const FUNDS = { readEveryMs: 600_000, quietMs: QUIET_MS, maxDelayMs: 2_000 };

let payrun: PayrunUnderTest;

beforeAll(async () => {
  // Where there is a history, the ledger decides before the provider is asked.
  payrun = await startPayrun({ windowSizeOf: () => WINDOW, settings: { funds: FUNDS }, startProxy: withoutHistory });
});
afterAll(() => payrun.stop());

/** The payments of the run that wait for funds, in order, with the number of their fund requests. */
async function waitingOf(runId: string): Promise<{ paymentId: string; asked: number }[]> {
  const { rows } = await payrun.database.query<{ paymentId: string; asked: number }>(
    `select payment_id as "paymentId", (select count(*)::int from provider_requests requests
       where requests.payment_id = payments.payment_id and operation = 'fund') as asked
     from payments where run_id = $1 and state = 'awaiting_funds' order by row_number`,
    [runId],
  );
  return rows;
}

const untilWaiting = (runId: string, count: number) =>
  until(async () => {
    const waiting = await waitingOf(runId);
    return waiting.length === count ? waiting : null;
  });

const balanceReads = () => payrun.sandbox.ledger().requests.byOperation['balance-find'] ?? 0;

describe('an insufficient balance', () => {
  test('makes the rest of the run wait for funds, and fails no payment', async () => {
    await setBalance(payrun.sandbox, 'USD', '250.00');
    const runId = await beginRun(payrun, newRows(4, { amount: '100.00' }));
    const waiting = await untilWaiting(runId, 2);
    // One request each: payments that wait for funds do not use up the rate limit.
    expect(waiting.map(({ asked }) => asked)).toEqual([1, 1]);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 2);
    expect(await payrun.application.findRun(runId)).toMatchObject({ state: 'running', rows: { awaiting_funds: 2 } });

    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 4 } });
    await expectPaidOnce(payrun, runId);
  });

  test('pays what new funds cover, in the order of the file, and sends no other fund request', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const amounts = ['400.00', '100.00', '900.00', '50.00'];
    const rows = amounts.flatMap((amount) => newRows(1, { amount }));
    const runId = await beginRun(payrun, rows);
    await untilWaiting(runId, 4);
    await depositMoney(payrun.sandbox, 'USD', '600.00');
    const [left] = await untilWaiting(runId, 1);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 3);
    const row = (await payrun.application.listRows(runId, { limit: 10, afterLine: 0, state: null })).find(
      ({ paymentId }) => paymentId === left?.paymentId,
    );
    expect([row?.sellAmount, left?.asked]).toEqual(['900.00', 1]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('is read once, however many events report funds', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(3, { amount: '100.00' }));
    await untilWaiting(runId, 3);
    const before = balanceReads();
    await Promise.all(Array.from({ length: 40 }, () => depositMoney(payrun.sandbox, 'USD', '1.00')));
    await until(() => Promise.resolve(balanceReads() > before));
    await new Promise((resolve) => setTimeout(resolve, 3 * QUIET_MS));
    expect(balanceReads()).toBe(before + 1);
    // The funds cover none of them, so no fund request was sent.
    expect((await waitingOf(runId)).map(({ asked }) => asked)).toEqual([1, 1, 1]);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('alone decides: no signal makes a payment be funded', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(1, { amount: '100.00' }));
    const [first] = await untilWaiting(runId, 1);
    const handle = payrun.temporal.workflow.getHandle(paymentWorkflowId(first?.paymentId ?? ''));
    const before = (await handle.describe()).historyLength;
    await handle.signal('paymentSettled', { state: 'paid' });
    await handle.signal('fundsArrived');
    await handle.signal('stopChanged');
    // It read the record, and waits again.
    expect(await untilQuiet(handle)).toBeGreaterThan(before);
    expect(await waitingOf(runId)).toEqual([{ paymentId: first?.paymentId, asked: 1 }]);

    await depositMoney(payrun.sandbox, 'USD', '500.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('of one currency delays no other, and rows that are not begun need no requests', async () => {
    await setBalance(payrun.sandbox, 'USD', '100000.00');
    await setBalance(payrun.sandbox, 'EUR', '100000.00');
    await setBalance(payrun.sandbox, 'SGD', '0.00');
    // More rows in the currency without funds than fit into the window.
    const rows = Array.from({ length: 4 * WINDOW }, (_, n) =>
      newRows(1, { amount: '100.00', sell_currency: ['SGD', 'SGD', 'USD', 'EUR'][n % 4] ?? '' }),
    ).flat();
    const runId = await beginRun(payrun, rows);
    await until(async () => (await payrun.application.findRun(runId))?.rows.paid === 2 * WINDOW);
    const { rows: states } = await payrun.database.query<{ state: string; begun: boolean; rows: number }>(
      `select state, workflow_begun_at is not null as begun, count(*)::int as rows from payments
       where run_id = $1 and sell_currency = 'SGD' group by 1, 2 order by 1`,
      [runId],
    );
    expect(states.map(({ state, begun }) => [state, begun])).toEqual([
      ['awaiting_funds', true],
      ['ready', false],
    ]);
    await depositMoney(payrun.sandbox, 'SGD', '20000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('does not block a payment whose workflow was terminated', async () => {
    await setBalance(payrun.sandbox, 'USD', '0.00');
    const runId = await beginRun(payrun, newRows(2, { amount: '100.00' }));
    const waiting = await untilWaiting(runId, 2);
    for (const { paymentId } of waiting) {
      await payrun.temporal.workflow.getHandle(paymentWorkflowId(paymentId)).terminate();
    }
    const { stopId } = await payrun.application.stopPayments(payrun.maker, { scope: 'run', runId }, null);
    for (const user of [payrun.maker, payrun.checker]) await payrun.application.liftStop(user, stopId);
    await depositMoney(payrun.sandbox, 'USD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});

describe('funds that never arrive', () => {
  let short: PayrunUnderTest;

  beforeAll(async () => {
    // After that time the provider accepts no funding.
    short = await startPayrun({
      windowSizeOf: () => WINDOW,
      sandbox: { fundingWindowMs: 3_000 },
      settings: { funds: FUNDS },
      startProxy: withoutHistory,
    });
    await setBalance(short.sandbox, 'SGD', '0.00');
  });
  afterAll(() => short.stop());

  test('end the waiting payments after the cut-off time, by a read, and rows that were not begun', async () => {
    const rows = [
      ...newRows(2 * WINDOW, { amount: '100.00', sell_currency: 'SGD' }),
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
    await untilWaiting(runId, 1);
    await clearFaults(payrun.sandbox);
    await depositMoney(payrun.sandbox, 'SGD', '1000.00');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('let rows continue that waited behind a payment of another run, once that no longer waits', async () => {
    await setBalance(payrun.sandbox, 'SGD', '0.00');
    const before = await beginRun(payrun, newRows(1, { amount: '100.00', sell_currency: 'SGD' }));
    await untilWaiting(before, 1);
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
