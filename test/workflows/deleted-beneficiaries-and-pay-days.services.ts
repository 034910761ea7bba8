import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aRow } from '../../fixtures/payment-rows.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { paymentsAt } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

const DAY_MS = 86_400_000;

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

describe('a beneficiary that was deleted at the provider', () => {
  test('is created again, and the payment is paid', async () => {
    const beneficiary = { beneficiary_company_name: 'Returning Supplier Ltd', bank_account_number: '55667788' };
    await untilPaid(payrun, await beginRun(payrun, [aRow(901, { ...beneficiary, amount: '901.00' })]));
    await fetch(`${payrun.sandbox.url}/__sandbox/reset`, { method: 'POST' });
    const again = [aRow(902, { ...beneficiary, amount: '902.00' }), aRow(903, { ...beneficiary, amount: '903.00' })];
    const run = await untilPaid(payrun, await beginRun(payrun, again));
    expect(run.rows).toEqual({ paid: 2 });
    expect(payrun.sandbox.ledger()).toMatchObject({ createdMoreThanOnce: [], fundedMoreThanOnce: [] });
  });
});

describe('a row with its own pay day', () => {
  test('is not paid before that day, the others are, and the run gives the reason why it waits', async () => {
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
    const [today, later] = newRows(2);
    const runId = await beginRun(payrun, [today!, { ...later!, pay_on: tomorrow }]);
    const run = await until(async () => {
      const found = await payrun.application.findRun(runId);
      return found?.rows.paid === 1 ? found : null;
    });
    expect(run.rows).toEqual({ paid: 1, ready: 1 });
    expect(run.state).toBe('running');
    expect(run.stateReason).toBe(`1 row is due on ${tomorrow}`);
    // No time is named today for what is sent another day.
    expect(run).toMatchObject({ secondsLeft: null, dueLater: { rows: 1, lastDate: tomorrow } });
    const references = (await paymentsAt(payrun.sandbox)).map(({ referenceId }) => referenceId);
    const [, waiting] = await payrun.application.listRows(runId, { limit: 2, afterLine: 0, state: null });
    expect(references).not.toContain(`${waiting?.paymentId ?? ''}-1`);
  });
});
