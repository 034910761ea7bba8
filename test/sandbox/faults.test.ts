import { expect, test } from 'vitest';
import { SeededRandom } from '../../sandbox/core/seeded-random.ts';
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

test.each(['slow', 'slow_after'])('%s answers late but correctly', async (kind) => {
  const caller = await withFaults({ operation: 'simple-payment-fund', kind, delayMs: 5 });
  const payment = await caller.aPayment();
  expect((await caller.fund(payment)).status).toBe(200);
  const faults = (await caller.get('/__sandbox/faults')).body as unknown as Loose[];
  expect(faults).toMatchObject([{ kind, injected: 1, left: 0 }]);
});

test('a fault is injected into its matching requests only', async () => {
  const caller = await withFaults({ operation: 'currency-pairs', kind: 'error_before', nth: 2, times: 2 });
  expect((await caller.get('/currencies/v1/supported')).status).toBe(200);
  const statuses: number[] = [];
  for (let request = 0; request < 4; request++) statuses.push((await caller.get('/currencies/v1/pairs')).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
});

test('with every, a fault is injected into every nth request, until it is removed', async () => {
  const caller = await withFaults({ operation: 'currency-pairs', kind: 'error_before', nth: 2, every: 3 });
  const statuses: number[] = [];
  for (let request = 0; request < 9; request++) statuses.push((await caller.get('/currencies/v1/pairs')).status);
  expect(statuses).toEqual([200, 503, 200, 200, 503, 200, 200, 503, 200]);
});

test('a fault for every operation skips operations to which its kind does not apply', async () => {
  const caller = await withFaults({ operation: '*', kind: 'find_capped', maxResults: 0 });
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(200);
  await caller.aPayment();
  expect((await caller.post('/simple-payments/v1/find')).body['data']).toEqual([]);
  expect((await caller.post('/simple-payments/v1/find')).body['data']).toHaveLength(1);
});

test('no fault is added when one of a list is refused', async () => {
  const caller = await aSandbox();
  const specs = [
    { operation: '*', kind: 'slow' },
    { operation: 'currency-pairs', kind: 'find_lags' },
  ];
  const refused = await caller.post('/__sandbox/faults', specs);
  const fix = 'find_lags does not apply to currency-pairs; use conversion-find, simple-payment-find';
  expect([refused.status, refused.body['message']]).toEqual([400, `1.kind: ${fix}`]);
  expect((await caller.get('/__sandbox/faults')).body).toEqual([]);
});

test('a fault can be injected into an upload', async () => {
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

test('a probability has about the expected effect, the same for the same seed', () => {
  const injections = (seed: string): number => {
    const faults = new Faults(new SeededRandom(seed));
    faults.add({ operation: '*', kind: 'error_before', probability: 0.2 });
    return Array.from({ length: 2000 }, () => faults.take('currency-pairs')).filter(Boolean).length;
  };
  expect(injections('a')).toBe(injections('a'));
  expect(injections('a')).toBeGreaterThan(320);
  expect(injections('a')).toBeLessThan(480);
});

test('faults are removed', async () => {
  const caller = await withFaults({ operation: '*', kind: 'error_before', times: 9 });
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(503);
  await caller.send('DELETE', '/__sandbox/faults');
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(200);
});

test.each([
  [{ operation: 'currency-paris', kind: 'slow' }, 'operation: "currency-paris" is not a checklist id'],
  [{ operation: 'webhook', kind: 'slow' }, 'kind: webhook_'],
  [{ operation: '*', kind: 'explode' }, 'kind'],
  [{ operation: '*', kind: 'slow', probability: 2 }, 'probability'],
  [{ operation: '*', kind: 'slow', oftenn: 2 }, 'oftenn'],
  [
    { operation: '*', kind: 'slow', status: 503 },
    '0.status: slow does not have this setting; its settings are: delayMs',
  ],
  [
    { operation: '*', kind: 'reset_after', delayMs: 1 },
    '0.delayMs: reset_after does not have this setting; its settings are: none',
  ],
  [{ operation: '*', kind: 'error_before', status: 200 }, '0.status'],
  [{ operation: '*', kind: 'webhook_drop' }, '0.kind: webhook_'],
  [{ operation: 'auth-authenticate', kind: 'token_dies' }, '0.kind: token_dies does not apply to auth-authenticate'],
  [{ operation: 'simple-payment-quote', kind: 'quote_dies' }, 'use conversion-create, simple-payment-create'],
])('the fault %j is refused', async (fault, message) => {
  const caller = await aSandbox();
  const answer = await caller.post('/__sandbox/faults', [fault]);
  expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(message)]);
});
