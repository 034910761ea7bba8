import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type PayrunUnderTest, untilRun, WEBHOOK_HEADERS } from '../helpers/payrun-under-test.ts';
import { paidRun, refundsOf, rowsOf, startWithRefunds, untilReturned } from '../helpers/refunded-runs.ts';
import { beginRun, linesOf, newRows, submitRows } from '../helpers/run-under-test.ts';
import { clearFaults, orderFaults, paymentsAt, refundPayment, webhooksOf } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** Payments that come back from a provider whose notifications are lost, doubled, forged or early. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithRefunds();
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

test('a paid payment that is refunded is returned, with its amount and date, and can be paid by a new run', async () => {
  const rows = newRows(2);
  const runId = await beginRun(payrun, rows);
  await untilRun(payrun.application, runId, 'completed');
  const [first] = await rowsOf(payrun, runId);
  const before = await paymentsAt(payrun.sandbox);
  const there = before.find(({ sellAmount }) => Number(sellAmount) === Number(first?.sellAmount));
  await refundPayment(payrun.sandbox, { simplePaymentId: there?.id ?? '', remarks: 'Account closed' });
  const [returned] = await untilReturned(payrun, runId, 1);
  expect(Number(returned?.returnedAmount)).toBe(Number(there?.totalAmount));
  expect(Date.parse(returned?.returnedAt ?? '')).toBeGreaterThan(0);
  await untilRun(payrun.application, runId, 'partially_completed');
  expect(await refundsOf(payrun, runId)).toMatchObject([
    { state: 'credited', rowRef: returned?.rowRef, paymentState: 'returned', remarks: 'Account closed' },
  ]);
  const results = await linesOf(payrun.application.results(runId));
  expect(results.find((line) => line.includes(returned?.rowRef ?? '-'))).toMatch(
    /,returned,.*,\d+\.\d+,\d{4}-\d\d-\d\dT[\d:.]+Z$/,
  );
  const exceptions = await linesOf(payrun.application.exceptions(runId));
  expect(exceptions).toHaveLength(2);
  expect(exceptions[1]).toContain('it was paid and came back');
  const again = await submitRows(
    payrun,
    rows.filter(({ row_ref: rowRef }) => rowRef === returned?.rowRef),
  );
  expect((await payrun.application.findRun(again))?.rows).toEqual({ ready: 1 });
});

test('a refund whose notification is lost is found by the history; a doubled one counts once', async () => {
  const { runId, paymentIds } = await paidRun(payrun, 2);
  await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', times: 20 });
  await refundPayment(payrun.sandbox, { simplePaymentId: paymentIds[0] ?? '' });
  await untilReturned(payrun, runId, 1);
  await clearFaults(payrun.sandbox);
  await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_duplicate', times: 20 });
  await refundPayment(payrun.sandbox, { simplePaymentId: paymentIds[1] ?? '' });
  const returned = await untilReturned(payrun, runId, 2);
  const totals = (await paymentsAt(payrun.sandbox)).filter(({ id }) => paymentIds.includes(id));
  expect(returned.map(({ returnedAmount }) => Number(returnedAmount)).sort()).toEqual(
    totals.map(({ totalAmount }) => Number(totalAmount)).sort(),
  );
  expect(await refundsOf(payrun, runId)).toHaveLength(2);
});

test('a forged notification, of whatever refund and status, changes no row', async () => {
  const { runId } = await paidRun(payrun, 1);
  const { url } = await webhooksOf(payrun.sandbox);
  for (const status of ['pending', 'completed']) {
    const body = JSON.stringify({ refundId: 'nobodys', resource: 'simple_payment', status });
    const headers = { 'content-type': 'application/json', ...WEBHOOK_HEADERS };
    expect((await fetch(url, { method: 'POST', headers, body })).ok).toBe(true);
  }
  const reported = await until(async () => {
    const { refunds } = await payrun.application.listRefunds(payrun.checker, {
      ...{ account: null, currency: null, run: null, state: 'reported', limit: 100 },
    });
    return refunds.length === 0 ? null : refunds;
  });
  expect(reported).toMatchObject([{ refundId: 'nobodys', amount: null, runId: null }]);
  expect((await rowsOf(payrun, runId))[0]).toMatchObject({ state: 'paid', returnedAmount: null });
});

test('a limited user sees no refunds of other accounts, and nobody sees remarks who may not read instructions', async () => {
  const query = { account: null, currency: null, run: null, state: null, limit: 100 };
  const stranger = { ...payrun.checker, accounts: ['another'] };
  expect(await payrun.application.listRefunds(stranger, query)).toEqual({ refunds: [], hasMore: false });
  const administrator = { ...payrun.checker, roles: ['administrator' as const] };
  const { refunds } = await payrun.application.listRefunds(administrator, query);
  expect(refunds.length).toBeGreaterThan(3);
  expect(refunds.every(({ remarks }) => remarks === null)).toBe(true);
});
