import { expect, test } from 'vitest';
import { forgedBody } from '../../sandbox/webhooks/webhooks.ts';
import { aReceiver, type Received } from './a-receiver.ts';
import { aSandbox, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const secret = { 'x-hook-secret': 's3' };

async function withWebhookFaults(url: string, ...faults: Record<string, unknown>[]): Promise<Caller> {
  const options = { webhookUrl: url, webhookHeaders: secret, completionMinMs: 50_000, completionMaxMs: 50_000 };
  const caller = await (await aSandbox(options)).signIn();
  const specs = faults.map((fault) => ({ operation: 'webhook', ...fault }));
  expect((await caller.post('/__sandbox/faults', specs)).status).toBe(200);
  return caller;
}

const statuses = (received: readonly Received[]): unknown[] => received.map(({ body }) => body['status']);

const deliveries = async (caller: Caller): Promise<Loose[]> =>
  (await caller.get('/__sandbox/webhooks')).body['deliveries'] as unknown as Loose[];

test('webhook_reorder holds a notification back until the next one is sent, and sends it once', async () => {
  const { url, received } = await aReceiver();
  const caller = await withWebhookFaults(url, { kind: 'webhook_reorder' });
  await caller.fund(await caller.aPayment());
  await eventually(() => expect(received).toHaveLength(2));
  caller.sandbox.advance(50_000);
  await eventually(() => expect(received).toHaveLength(3));
  expect(statuses(received)).toEqual(['processing', 'awaiting_funds', 'completed']);
});

test('webhook_reorder sends a notification after delayMs if there is no next one', async () => {
  const { url, received } = await aReceiver();
  const caller = await withWebhookFaults(url, { kind: 'webhook_reorder', nth: 2, delayMs: 3000 });
  await caller.fund(await caller.aPayment());
  await eventually(() => expect(received).toHaveLength(1));
  caller.sandbox.advance(2999);
  expect(await deliveries(caller)).toMatchObject([{ outcome: 'delivered' }, { outcome: 'waiting', attempts: 0 }]);
  caller.sandbox.advance(1);
  await eventually(() => expect(statuses(received)).toEqual(['awaiting_funds', 'processing']));
  caller.sandbox.advance(60_000);
  await eventually(() => expect(statuses(received)).toEqual(['awaiting_funds', 'processing', 'completed']));
});

test('notifications that are held back are discarded when the address is removed', async () => {
  const { url, received } = await aReceiver();
  const caller = await withWebhookFaults(url, { kind: 'webhook_reorder' }, { kind: 'webhook_delay', nth: 2 });
  const payment = await caller.aPayment();
  await caller.post('/__sandbox/webhooks', { url: null });
  await caller.post('/__sandbox/webhooks', { url });
  caller.sandbox.advance(10_000);
  await caller.fund(payment);
  await caller.post('/__sandbox/webhooks', { url: null });
  caller.sandbox.advance(10_000);
  await caller.post('/__sandbox/webhooks', { url });
  caller.sandbox.advance(60_000);
  await eventually(() => expect(statuses(received)).toEqual(['completed']));
});

test('webhook_forge also sends a successful final status, without the configured headers', async () => {
  const { url, received } = await aReceiver();
  const caller = await withWebhookFaults(url, { kind: 'webhook_forge' });
  const { simplePaymentId } = await caller.aPayment();
  await eventually(() => expect(received).toHaveLength(2));
  const event = { resource: 'simple_payment', resourceId: simplePaymentId, reason: null };
  const forged = received.find(({ headers }) => headers['x-hook-secret'] === undefined);
  const real = received.find(({ headers }) => headers['x-hook-secret'] === 's3');
  expect(forged?.body).toEqual({ ...event, status: 'completed' });
  expect(real?.body).toEqual({ ...event, status: 'awaiting_funds' });
});

test.each([
  [{ resource: 'user', resourceId: 'u', status: 'rejected' }, { status: 'approved' }],
  [{ action: 'request', requestId: 'r', status: 'cancelled' }, { status: 'approved' }],
  [{ action: 'deposit', transactionId: '7', status: 'failed' }, { status: 'completed' }],
  [{ resource: 'conversion', resourceId: 'c', status: 'awaiting_funds' }, { status: 'completed' }],
  [{ refundId: 'r', resource: 'simple_payment', status: 'failed' }, { status: 'completed' }],
  [
    { resource: 'simple_payment', resourceId: 'p', status: 'failed', reason: 'closed' },
    { status: 'completed', reason: null },
  ],
])('forged, %j claims the good end of its kind', (real, claim) => {
  expect(forgedBody(real)).toEqual({ ...real, ...claim });
});

test('a forged notification that is not accepted is not sent again and does not block others', async () => {
  const { url, received } = await aReceiver(500);
  const caller = await withWebhookFaults(url);
  const forged = { resource: 'simple_payment', resourceId: 'sp-1', status: 'completed', amount: 1.5 };
  const send = (order: unknown): Promise<Loose> =>
    caller.post('/__sandbox/webhooks/forge', order).then(({ body }) => body);
  expect(await send({ body: forged })).toEqual({ status: 500 });
  expect(await send({ body: forged, withHeaders: true })).toEqual({ status: 200 });
  await caller.aPayment();
  await eventually(() => expect(received).toHaveLength(3));
  expect(received.slice(0, 2).map(({ body }) => body)).toEqual([forged, forged]);
  expect(received.map(({ headers }) => headers['x-hook-secret'])).toEqual([undefined, 's3', 's3']);
  expect(await deliveries(caller)).toMatchObject([
    { forged: true, outcome: 'given_up', attempts: 1, lastStatus: 500 },
    { forged: true, outcome: 'delivered' },
    { forged: false },
  ]);
});

test.each([
  [{ withHeaders: true }, 'body: '],
  [{ body: {}, headers: {} }, 'headers'],
  [{ body: {}, withHeaders: 'yes' }, 'withHeaders'],
  [{ body: {} }, 'webhooks: no address is set'],
])('the forgery %j is refused', async (order, message) => {
  const caller = await aSandbox();
  const answer = await caller.post('/__sandbox/webhooks/forge', order);
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
});

test.each([
  [{ 'content-type': 'text/plain' }, 'content-type'],
  [{ 'x secret': 'a' }, 'x secret'],
  [{ 'x-secret': 'a\r\nb' }, 'x-secret'],
])('the webhook headers %j are refused', async (headers, message) => {
  const caller = await aSandbox();
  const answer = await caller.post('/__sandbox/webhooks', { url: 'http://127.0.0.1:9/', headers });
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
});
