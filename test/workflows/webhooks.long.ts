import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, orderFaults } from '../helpers/sandbox-control.ts';
import { onlyPayment, send } from '../helpers/sent-webhooks.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

describe('a webhook', () => {
  test('trap 40: with an earlier status that arrives after the end changes nothing', async () => {
    const runId = await beginRun(payrun, newRows(1));
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    const { id } = await onlyPayment(payrun, runId);
    for (const status of ['processing', 'awaiting_funds', 'rejected'])
      await send(payrun, JSON.stringify({ resource: 'simple_payment', resourceId: id, status, reason: null }));
    // A second run is paid to its end, so that the poller woken by the events has run.
    expect((await untilPaid(payrun, await beginRun(payrun, newRows(1)))).state).toBe('completed');
    expect((await onlyPayment(payrun, runId)).state).toBe('paid');
    expect(await payrun.application.findRun(runId)).toMatchObject({ state: 'completed', rows: { paid: 1 } });
    await expectPaidOnce(payrun, runId);
  });

  test('trap 40: that arrives twice and late does no harm', async () => {
    await orderFaults(
      payrun.sandbox,
      { operation: 'webhook', kind: 'webhook_duplicate', times: 3 },
      { operation: 'webhook', kind: 'webhook_delay', nth: 4, times: 3, delayMs: 400 },
    );
    const runId = await beginRun(payrun, newRows(2));
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });
});
