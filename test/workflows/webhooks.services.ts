import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun, WEBHOOK_HEADERS } from '../helpers/payrun-under-test.ts';
import { beginRun, newRows, untilPaid } from '../helpers/run-under-test.ts';
import { clearFaults, expectPaidOnce, forcePayment, orderFaults, webhooksOf } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';

let payrun: PayrunUnderTest;
let webhookUrl: string;

beforeAll(async () => {
  payrun = await startPayrun();
  webhookUrl = (await webhooksOf(payrun.sandbox)).url;
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

/** Sends an event with these headers, as anyone who knows the URL could. */
function post(body: string, headers: Record<string, string>): Promise<Response> {
  return fetch(webhookUrl, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
}

/** Sends an event as the provider would. */
async function send(body: string): Promise<unknown> {
  const answer = await post(body, WEBHOOK_HEADERS);
  expect(answer.status).toBe(200);
  return answer.json();
}

interface PaymentInFlight {
  id: string;
  state: string;
  hintedAt: Date | null;
  sweptAt: Date | null;
}

async function onlyPayment(runId: string): Promise<PaymentInFlight> {
  const { rows } = await payrun.database.query<PaymentInFlight>(
    `select provider_payment_id as id, state, hinted_at as "hintedAt", swept_at as "sweptAt"
     from payments where run_id = $1`,
    [runId],
  );
  const [payment] = rows;
  if (payment === undefined) throw new Error('the run has no payment');
  return payment;
}

describe('a webhook', () => {
  test('that is repeated, byte for byte, is kept once and counted', async () => {
    const body = JSON.stringify({ resource: 'simple_payment', resourceId: 'of-nobody', status: 'completed' });
    expect([await send(body), await send(body), await send(body)]).toEqual([
      { received: 'accepted' },
      { received: 'duplicate' },
      { received: 'duplicate' },
    ]);
    const { rows } = await payrun.database.query('select body, times from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([{ body, times: 3 }]);
  });

  test('without the header that the account holder configured is refused, and not kept', async () => {
    const body = JSON.stringify({ resource: 'simple_payment', resourceId: 'of-a-stranger', status: 'completed' });
    expect((await post(body, {})).status).toBe(401);
    expect((await post(body, { 'x-payrun-webhook': 'a guess' })).status).toBe(401);
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
    expect(await send(body)).toEqual({ received: 'accepted' });
    const { rows } = await payrun.database.query('select body from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([{ body }]);
  });

  test('trap 40: that is forged changes nothing: the provider is read, and its answer counts', async () => {
    const runId = await beginRun(payrun, newRows(1, { beneficiary_company_name: 'STUCK Supplies Ltd' }));
    const inFlight = await until(async () => {
      const payment = await onlyPayment(runId);
      return payment.state === 'processing' && payment;
    });
    const refund = { refundId: 're-1', resource: 'simple_payment', resourceId: inFlight.id, status: 'completed' };
    await send(JSON.stringify(refund));
    expect((await onlyPayment(runId)).hintedAt, 'a refund is no end of its payment').toBeNull();
    const forged = { resource: 'simple_payment', resourceId: inFlight.id, status: 'completed', reason: null };
    await send(JSON.stringify(forged));
    const hinted = await onlyPayment(runId);
    const looked = await until(async () => {
      const payment = await onlyPayment(runId);
      return payment.sweptAt !== null && payment.sweptAt > (hinted.hintedAt ?? new Date()) && payment;
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
      const payment = await onlyPayment(runId);
      return payment.state === 'processing' && payment;
    });
    // As the contract defines it, and with the payment's own id, as it might be misread.
    const refund = { refundId: 'a-refund', resource: 'simple_payment', status: 'completed' };
    for (const event of [refund, { ...refund, resourceId: inFlight.id }]) await send(JSON.stringify(event));
    const { rows: kept } = await payrun.database.query('select kind from webhook_inbox where body like $1', [
      '%"a-refund"%',
    ]);
    expect(kept).toEqual([{ kind: 'refund' }, { kind: 'refund' }]);
    expect((await onlyPayment(runId)).state).toBe('processing');
    await forcePayment(payrun.sandbox, inFlight.id, 'failed');
    expect((await untilPaid(payrun, runId)).rows).toEqual({ failed: 1 });
  });

  test('trap 40: with an earlier status that arrives after the end changes nothing', async () => {
    const runId = await beginRun(payrun, newRows(1));
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    const { id } = await onlyPayment(runId);
    for (const status of ['processing', 'awaiting_funds', 'rejected'])
      await send(JSON.stringify({ resource: 'simple_payment', resourceId: id, status, reason: null }));
    // A second run is paid to its end, so that the sweep woken by the events has run.
    expect((await untilPaid(payrun, await beginRun(payrun, newRows(1)))).state).toBe('completed');
    expect((await onlyPayment(runId)).state).toBe('paid');
    expect(await payrun.application.findRun(runId)).toMatchObject({ state: 'completed', rows: { paid: 1 } });
    await expectPaidOnce(payrun, runId);
  });

  test('is not needed: if all are lost, the sweep finds the outcome of each payment', async () => {
    await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', probability: 1 });
    const deliveriesBefore = (await webhooksOf(payrun.sandbox)).deliveries.length;
    const runId = await beginRun(payrun, newRows(3));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 3 } });
    await expectPaidOnce(payrun, runId);
    const deliveries = (await webhooksOf(payrun.sandbox)).deliveries.slice(deliveriesBefore);
    // At least three for each payment, one per status; some have more statuses.
    expect(deliveries.length).toBeGreaterThanOrEqual(9);
    expect(new Set(deliveries.map(({ outcome }) => outcome))).toEqual(new Set(['dropped']));
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
