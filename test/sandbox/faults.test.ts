import { expect, test } from 'vitest';
import { Chance } from '../../sandbox/core/seeded-random.ts';
import { Faults } from '../../sandbox/faults/faults.ts';
import { aSandbox, asText, type Caller, type Loose } from './a-sandbox.ts';
import { withFaults } from './with-faults.ts';

const statusOf = async (caller: Caller, payment: Loose): Promise<unknown> => (await caller.read(payment))['status'];

test.each([
  ['error_before', 503, 'awaiting_funds'],
  ['error_after', 502, 'processing'],
  ['rate_limited', 429, 'awaiting_funds'],
])('%s answers %d and leaves the payment %s', async (kind, status, left) => {
  const caller = await withFaults({ operation: 'simple-payment-fund', kind });
  const payment = await caller.aPayment();
  expect((await caller.fund(payment)).status).toBe(status);
  expect(await statusOf(caller, payment)).toBe(left);
  expect((await caller.fund(payment)).status).toBe(left === 'processing' ? 409 : 200);
});

test.each([
  ['reset_before', 'awaiting_funds'],
  ['reset_after', 'processing'],
])('%s breaks the connection and leaves the payment %s', async (kind, left) => {
  const caller = await withFaults({ operation: 'simple-payment-fund', kind });
  const payment = await caller.aPayment();
  await expect(caller.fund(payment)).rejects.toThrow('fetch failed');
  expect(await statusOf(caller, payment)).toBe(left);
});

test('garbled_after answers half of the JSON after the effect', async () => {
  const caller = await withFaults({ operation: 'simple-payment-fund', kind: 'garbled_after' });
  const payment = await caller.aPayment();
  await expect(caller.fund(payment)).rejects.toThrow(SyntaxError);
  expect(await statusOf(caller, payment)).toBe('processing');
});

test.each(['slow', 'slow_after'])('%s answers late but rightly', async (kind) => {
  const caller = await withFaults({ operation: 'simple-payment-fund', kind, delayMs: 5 });
  const payment = await caller.aPayment();
  expect((await caller.fund(payment)).status).toBe(200);
  const faults = (await caller.get('/__sandbox/faults')).body as unknown as Loose[];
  expect(faults).toMatchObject([{ kind, struck: 1, left: 0 }]);
});

test('a fault strikes the requests it was ordered for, and no others', async () => {
  const caller = await withFaults({ operation: 'currency-pairs', kind: 'error_before', nth: 2, times: 2 });
  expect((await caller.get('/currencies/v1/supported')).status).toBe(200);
  const statuses: number[] = [];
  for (let request = 0; request < 4; request++) statuses.push((await caller.get('/currencies/v1/pairs')).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
});

test('every lets a fault strike each so-manieth request from nth on, until it is removed', async () => {
  const caller = await withFaults({ operation: 'currency-pairs', kind: 'error_before', nth: 2, every: 3 });
  const statuses: number[] = [];
  for (let request = 0; request < 9; request++) statuses.push((await caller.get('/currencies/v1/pairs')).status);
  expect(statuses).toEqual([200, 503, 200, 200, 503, 200, 200, 503, 200]);
});

test('a fault for every operation passes over those that its kind does not go with', async () => {
  const caller = await withFaults({ operation: '*', kind: 'find_capped', most: 0 });
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(200);
  await caller.aPayment();
  expect((await caller.post('/simple-payments/v1/find')).body['data']).toEqual([]);
  expect((await caller.post('/simple-payments/v1/find')).body['data']).toHaveLength(1);
});

test('nothing is ordered when one order of a list is refused', async () => {
  const caller = await aSandbox();
  const orders = [
    { operation: '*', kind: 'slow' },
    { operation: 'currency-pairs', kind: 'find_lags' },
  ];
  const refused = await caller.post('/__sandbox/faults', orders);
  const fix = 'find_lags does not go with currency-pairs; use conversion-find, simple-payment-find';
  expect([refused.status, refused.body['message']]).toEqual([400, `1.kind: ${fix}`]);
  expect((await caller.get('/__sandbox/faults')).body).toEqual([]);
});

test('a fault can strike an upload', async () => {
  const caller = await withFaults({ operation: 'simple-payment-upload-file', kind: 'error_before' });
  const { body } = await caller.post('/simple-payments/v1/get-upload-url', { fileName: 'a.pdf' });
  const upload = {
    method: 'PUT',
    headers: { 'content-type': 'application/pdf', 'x-sandbox-storage-class': 'STANDARD' },
    body: 'x',
  };
  const statuses = [];
  for (let attempt = 0; attempt < 2; attempt++)
    statuses.push((await fetch(asText(body['data']!['uploadUrl']), upload)).status);
  expect(statuses).toEqual([503, 200]);
});

test('a probability strikes about as often as it says, the same for the same seed', () => {
  const strikes = (seed: string): number => {
    const faults = new Faults(new Chance(seed));
    faults.order({ operation: '*', kind: 'error_before', probability: 0.2 });
    return Array.from({ length: 2000 }, () => faults.take('currency-pairs')).filter(Boolean).length;
  };
  expect(strikes('a')).toBe(strikes('a'));
  expect(strikes('a')).toBeGreaterThan(320);
  expect(strikes('a')).toBeLessThan(480);
});

test('faults are removed', async () => {
  const caller = await withFaults({ operation: '*', kind: 'error_before', times: 9 });
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(503);
  await caller.send('DELETE', '/__sandbox/faults');
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(200);
});

test.each([
  [{ operation: 'currency-paris', kind: 'slow' }, 'operation: "currency-paris" is no checklist id'],
  [{ operation: 'webhook', kind: 'slow' }, 'kind: webhook_'],
  [{ operation: '*', kind: 'explode' }, 'kind'],
  [{ operation: '*', kind: 'slow', probability: 2 }, 'probability'],
  [{ operation: '*', kind: 'slow', oftenn: 2 }, 'oftenn'],
  [{ operation: '*', kind: 'slow', status: 503 }, '0.status: slow does not take it; of its own it takes delayMs'],
  [
    { operation: '*', kind: 'reset_after', delayMs: 1 },
    '0.delayMs: reset_after does not take it; of its own it takes none',
  ],
  [{ operation: '*', kind: 'error_before', status: 200 }, '0.status'],
  [{ operation: '*', kind: 'webhook_drop' }, '0.kind: webhook_'],
  [{ operation: 'auth-authenticate', kind: 'token_dies' }, '0.kind: token_dies does not go with auth-authenticate'],
  [{ operation: 'simple-payment-quote', kind: 'quote_dies' }, 'use conversion-create, simple-payment-create'],
])('the fault %j is refused', async (fault, message) => {
  const caller = await aSandbox();
  const answer = await caller.post('/__sandbox/faults', [fault]);
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
});
