import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
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

/** Sends an event as the provider would, or anyone else who knows the address. */
async function send(body: string): Promise<unknown> {
  const answer = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
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
  test('that comes again, byte for byte, is kept once and counted', async () => {
    const body = JSON.stringify({ resource: 'simple_payment', resourceId: 'of-nobody', status: 'completed' });
    expect([await send(body), await send(body), await send(body)]).toEqual([
      { received: 'accepted' },
      { received: 'duplicate' },
      { received: 'duplicate' },
    ]);
    const { rows } = await payrun.database.query('select body, times from webhook_inbox where body = $1', [body]);
    expect(rows).toEqual([{ body, times: 3 }]);
  });

  test('that is forged changes nothing: the provider is read, and what it says counts', async () => {
    const runId = await beginRun(payrun, newRows(1, { beneficiary_company_name: 'STUCK Supplies Ltd' }));
    const inFlight = await until(async () => {
      const payment = await onlyPayment(runId);
      return payment.state === 'processing' && payment;
    });
    const forged = { resource: 'simple_payment', resourceId: inFlight.id, status: 'completed', reason: null };
    await send(JSON.stringify(forged));
    const hinted = await onlyPayment(runId);
    const looked = await until(async () => {
      const payment = await onlyPayment(runId);
      return payment.sweptAt !== null && payment.sweptAt > (hinted.hintedAt ?? new Date()) && payment;
    });
    expect(looked.state).toBe('processing');
    expect((await payrun.engine.findRun(runId))?.state).toBe('running');

    await forcePayment(payrun.sandbox, inFlight.id, 'completed');
    expect((await untilPaid(payrun, runId)).state).toBe('completed');
    await expectPaidOnce(payrun, runId);
  });

  test('is not needed: with every one of them lost, the sweep finds what became of each payment', async () => {
    await orderFaults(payrun.sandbox, { operation: 'webhook', kind: 'webhook_drop', probability: 1 });
    const deliveriesBefore = (await webhooksOf(payrun.sandbox)).deliveries.length;
    const runId = await beginRun(payrun, newRows(3));
    expect(await untilPaid(payrun, runId)).toMatchObject({ state: 'completed', rows: { paid: 3 } });
    await expectPaidOnce(payrun, runId);
    const deliveries = (await webhooksOf(payrun.sandbox)).deliveries.slice(deliveriesBefore);
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(Array(9).fill('dropped'));
  });

  test('in double and late does no harm either', async () => {
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
