import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, forcePayment, orderFaults, webhooksOf } from '../helpers/sandbox-control.ts';
import { onlyPayment, post, send } from '../helpers/sent-webhooks.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

describe('a webhook', () => {
  test('that is repeated, byte for byte, is kept once and counted', async () => {
    const body = JSON.stringify({ resource: 'simple_payment', resourceId: 'of-nobody', status: 'completed' });
    expect([await send(payrun, body), await send(payrun, body), await send(payrun, body)]).toEqual([
      { received: 'accepted' },
      { received: 'duplicate' },
      { received: 'duplicate' },
    ]);
    const { rows } = await payrun.database.query('select body, times from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([{ body, times: 3 }]);
  });

  test('without the header that the account holder configured is refused, and not kept', async () => {
    const body = JSON.stringify({ resource: 'simple_payment', resourceId: 'of-a-stranger', status: 'completed' });
    expect((await post(payrun, body, {})).status).toBe(401);
    expect((await post(payrun, body, { 'x-payrun-webhook': 'a guess' })).status).toBe(401);
    const { rows } = await payrun.database.query('select 1 from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['of an unknown kind', '{"news":{"beneficiary":"Jane Doe"}}'],
    [
      'with a status that the database cannot store',
      '{"resource":"simple_payment","resourceId":"x","status":"a\\u0000"}',
    ],
    ['that begins with a byte order mark', '\uFEFF{"resource":"simple_payment","resourceId":"x","status":"failed"}'],
  ])('%s is kept as it arrived', async (_, body) => {
    expect(await send(payrun, body)).toEqual({ received: 'accepted' });
    const { rows } = await payrun.database.query('select body from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([{ body }]);
  });

  test('trap 40: that is forged changes nothing: the provider is read, and its answer counts', async () => {
    const runId = await beginRun(payrun, newRows(1, { beneficiary_company_name: 'STUCK Supplies Ltd' }));
    const inFlight = await until(async () => {
      const payment = await onlyPayment(payrun, runId);
      return payment.state === 'processing' && payment;
    });
    const refund = { refundId: 're-1', resource: 'simple_payment', resourceId: inFlight.id, status: 'completed' };
    await send(payrun, JSON.stringify(refund));
    expect((await onlyPayment(payrun, runId)).webhookReceivedAt, 'a refund is no end of its payment').toBeNull();
    const forged = { resource: 'simple_payment', resourceId: inFlight.id, status: 'completed', reason: null };
    await send(payrun, JSON.stringify(forged));
    const named = await onlyPayment(payrun, runId);
    const [row] = await payrun.application.listRows(runId, { limit: 1, afterLine: 0, state: null });
    const shown = await payrun.application.findRow(runId, row?.rowRef ?? '');
    expect(shown?.webhooks).toContainEqual(expect.objectContaining({ status: 'completed', times: 1 }));
    const looked = await until(async () => {
      const payment = await onlyPayment(payrun, runId);
      return payment.polledAt !== null && payment.polledAt > (named.webhookReceivedAt ?? new Date()) && payment;
    });
    expect(looked.state).toBe('processing');
    const { deliveries } = await webhooksOf(payrun.sandbox);
    expect(deliveries.map(({ outcome }) => outcome)).toContain('delivered');
    expect((await payrun.application.findRun(runId))?.state).toBe('running');

    await forcePayment(payrun.sandbox, inFlight.id, 'completed');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('trap 2: of the completed refund of a payment does not complete the payment', async () => {
    const runId = await beginRun(payrun, newRows(1, { beneficiary_company_name: 'STUCK Returns Ltd' }));
    const inFlight = await until(async () => {
      const payment = await onlyPayment(payrun, runId);
      return payment.state === 'processing' && payment;
    });
    // As the contract defines it, and with the payment's own id, as it might be misread.
    const refund = { refundId: 'a-refund', resource: 'simple_payment', status: 'completed' };
    for (const event of [refund, { ...refund, resourceId: inFlight.id }]) await send(payrun, JSON.stringify(event));
    const { rows: kept } = await payrun.database.query('select kind from webhook_inbox where body like $1', [
      '%"a-refund"%',
    ]);
    expect(kept).toEqual([{ kind: 'refund' }, { kind: 'refund' }]);
    expect((await onlyPayment(payrun, runId)).state).toBe('processing');
    await forcePayment(payrun.sandbox, inFlight.id, 'failed');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ failed: 1 });
  });

  test('is not needed: if all are lost, the poller finds the outcome of each payment', async () => {
    await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', probability: 1 });
    const deliveriesBefore = (await webhooksOf(payrun.sandbox)).deliveries.length;
    const runId = await beginRun(payrun, newRows(1));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 1 } });
    await expectPaidOnce(payrun, runId);
    const deliveries = (await webhooksOf(payrun.sandbox)).deliveries.slice(deliveriesBefore);
    // At least one per status; some payments have more than three.
    expect(deliveries.length).toBeGreaterThanOrEqual(3);
    expect(new Set(deliveries.map(({ outcome }) => outcome))).toEqual(new Set(['dropped']));
  });
});
