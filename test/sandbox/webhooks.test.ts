import { expect, test } from 'vitest';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const deliveries = async (caller: Caller): Promise<Loose[]> =>
  (await caller.get('/__sandbox/webhooks')).body['deliveries'] as unknown as Loose[];

test('each status of a payment is notified in order, with the reason if it is rejected or fails, and then its refund', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ webhookUrl: url, webhookHeaders: { 'x-hook-secret': 's3' } })).signIn();
  const payment = await caller.aPayment({ amount: 100.13 });
  await caller.fund(payment);
  caller.sandbox.advance(60_000);
  await eventually(() => expect(received).toHaveLength(5));
  const refund = (await caller.get('/v2/refunds')).body['value']![0 as never]!;
  const refundEvent = { refundId: refund['id'], resource: 'simple_payment' };
  const event = { resource: 'simple_payment', resourceId: payment['simplePaymentId'], reason: null };
  expect(received.map(({ body }) => body)).toEqual([
    { ...event, status: 'awaiting_funds' },
    { ...event, status: 'processing' },
    { ...event, status: 'rejected', reason: 'Beneficiary bank refused: account closed' },
    { ...refundEvent, status: 'pending' },
    { ...refundEvent, status: 'completed' },
  ]);
  expect(received[0]!.headers).toMatchObject({ 'x-hook-secret': 's3', 'content-type': 'application/json' });
});

test('a notification that is not accepted is sent again, and blocks the following ones', async () => {
  const { url, received } = await aReceiver(500, 503);
  const caller = await (await aSandbox()).signIn();
  expect((await caller.post('/__sandbox/webhooks', { url })).status).toBe(200);
  const payment = await caller.aPayment();
  await caller.fund(payment);
  for (const [attempts, backoffMs] of [
    [1, 1000],
    [2, 2000],
  ] as const) {
    await eventually(async () => expect((await deliveries(caller))[0]).toMatchObject({ attempts, outcome: 'waiting' }));
    expect(received).toHaveLength(attempts);
    caller.sandbox.advance(backoffMs);
  }
  await eventually(() => expect(received).toHaveLength(4));
  expect(received.map(({ body }) => body['status'])).toEqual([
    ...Array<string>(3).fill('awaiting_funds'),
    'processing',
  ]);
});

test('a notification is given up after five attempts, and the next one is sent', async () => {
  const { url, received } = await aReceiver(500, 500, 500, 500, 500);
  const caller = await (await aSandbox({ webhookUrl: url })).signIn();
  await caller.fund(await caller.aPayment());
  await eventually(() => {
    caller.sandbox.advance(8000);
    expect(received.length).toBeGreaterThanOrEqual(6);
  });
  const statuses = received.map(({ body }) => body['status']);
  expect(statuses.slice(0, 6)).toEqual([...Array<string>(5).fill('awaiting_funds'), 'processing']);
  await eventually(async () => expect((await deliveries(caller))[1]).toMatchObject({ outcome: 'delivered' }));
  expect((await deliveries(caller))[0]).toMatchObject({ attempts: 5, outcome: 'given_up', lastStatus: 500 });
});

test('notifications can be lost, duplicated and delayed behind later ones', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ webhookUrl: url })).signIn();
  await caller.post('/__sandbox/faults', [
    { operation: 'webhook', kind: 'webhook_drop', nth: 1 },
    { operation: 'webhook', kind: 'webhook_duplicate', nth: 2 },
    { operation: 'webhook', kind: 'webhook_delay', nth: 4, delayMs: 5000 },
  ]);
  const [one, two] = [await caller.aPayment(), await caller.aPayment()];
  await caller.aPayment();
  await caller.aPayment();
  await caller.aPayment();
  await eventually(() => expect(received).toHaveLength(4));
  const ids = (): unknown[] => received.map(({ body }) => body['resourceId']);
  expect(ids()).not.toContain(one['simplePaymentId']);
  expect(ids().slice(0, 2)).toEqual([two['simplePaymentId'], two['simplePaymentId']]);
  caller.sandbox.advance(5000);
  await eventually(() => expect(new Set(ids()).size).toBe(4));
  expect((await deliveries(caller))[0]).toMatchObject({ outcome: 'dropped', attempts: 0 });
});
