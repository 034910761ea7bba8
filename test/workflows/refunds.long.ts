import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PayrunUnderTest } from '../helpers/payrun-under-test.ts';
import { paidRun, refundsOf, rowsOf, startWithRefunds, untilReturned } from '../helpers/refunded-runs.ts';
import { refundPayment } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

/** Refunds that fail first, or that are of a part of a payment. */

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startWithRefunds();
});
afterAll(() => payrun.stop());

test('a refund is expected until its money is there, also if it fails first', async () => {
  const { runId, paymentIds } = await paidRun(payrun, 1);
  const refund = await refundPayment(payrun.sandbox, { simplePaymentId: paymentIds[0] ?? '', status: 'pending' });
  await until(async () => (await refundsOf(payrun, runId))[0]?.state === 'expected');
  await refund.force('failed');
  expect((await rowsOf(payrun, runId))[0]).toMatchObject({ state: 'paid', returnedAmount: null });
  await refund.force('completed');
  await untilReturned(payrun, runId, 1);
});

test('a part of a payment that comes back leaves the row paid, and is shown', async () => {
  const { runId, paymentIds } = await paidRun(payrun, 1);
  await refundPayment(payrun.sandbox, { simplePaymentId: paymentIds[0] ?? '', amount: '1.25' });
  await until(async () => (await refundsOf(payrun, runId))[0]?.state === 'credited');
  const [row] = await until(async () => {
    const rows = await rowsOf(payrun, runId);
    return rows[0]?.returnedAmount === null ? null : rows;
  });
  expect([row?.state, Number(row?.returnedAmount)]).toEqual(['paid', 1.25]);
  expect((await payrun.application.findRun(runId))?.state).toBe('completed');
});
