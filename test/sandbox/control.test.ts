import { expect, test } from 'vitest';
import { operations } from '../../sandbox/endpoints/operations.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { aSandbox, asText, type Caller, type Loose } from './a-sandbox.ts';

const paymentsOf = async (caller: Caller): Promise<Loose[]> =>
  (await caller.get('/__sandbox/payments')).body as unknown as Loose[];

test('the ledger of a new sandbox has exactly the documented fields', async () => {
  const caller = await aSandbox({ balances: { USD: '1.00' } });
  expect((await caller.get('/__sandbox/ledger')).body).toEqual({
    createdMoreThanOnce: [],
    fundedMoreThanOnce: [],
    signedUpMoreThanOnce: [],
    invariantHolds: true,
    balances: { USD: '1.00' },
    payments: {},
    users: {},
    requests: { total: 0, byOperation: {} },
    rejectedByLimit: 0,
    mostInAnySecond: 0,
    credentialLeaks: 0,
  });
});

test('the control API needs no key, has no limit, and its calls are not counted', async () => {
  const caller = await aSandbox({ limitPerSecond: 1, monotonicNow: () => 0 });
  for (let call = 0; call < 5; call++) {
    const response = await fetch(`${caller.sandbox.url}/__sandbox/health`);
    expect([response.status, await response.json()]).toEqual([200, { status: 'ok', now: '2026-03-02T09:00:00.000Z' }]);
  }
  expect(caller.sandbox.ledger().requests.total).toBe(0);
});

test('the key selects the account, and an unknown key is 404', async () => {
  const second = { apiKey: 'second', accessKeyId: 'id', secretAccessKey: 'secret', balances: { USD: '2.00' } };
  const caller = await aSandbox({ accounts: [defaultAccount, second] });
  expect((await caller.get('/__sandbox/ledger?key=second')).body['balances']).toEqual({ USD: '2.00' });
  expect((await caller.get('/__sandbox/ledger?key=third')).status).toBe(404);
});

test('payments are listed, and can be forced by reference', async () => {
  const caller = await (await aSandbox()).signIn();
  await caller.aPayment({}, { referenceId: 'ref-1' });
  const forced = await caller.post('/__sandbox/force', { referenceId: 'ref-1', status: 'failed', reason: 'Flood' });
  expect(forced.status).toBe(200);
  const [line] = await paymentsOf(caller);
  expect(line).toMatchObject({ referenceId: 'ref-1', status: 'failed', reason: 'Flood', timesFunded: 0 });
  expect(line).toMatchObject({ sellCurrency: 'USD', sellAmount: '100.00', totalAmount: '101.75' });
  expect((await caller.post('/__sandbox/force', { referenceId: 'ref-1', status: 'failed' })).status).toBe(400);
  expect((await caller.post('/__sandbox/force', { referenceId: 'other', status: 'failed' })).status).toBe(404);
});

test('a payment forced to rejected after funding is refunded and does not complete', async () => {
  const caller = await (await aSandbox({ balances: { USD: '500.00' } })).signIn();
  const payment = await caller.aPayment();
  await caller.fund(payment);
  await caller.post('/__sandbox/force', { simplePaymentId: payment['simplePaymentId'], status: 'rejected' });
  caller.sandbox.advance(60_000);
  expect((await caller.read(payment))['status']).toBe('rejected');
  expect(caller.sandbox.ledger()).toMatchObject({ balances: { USD: '500.00' }, invariantHolds: true });
});

test('a balance is set, within its decimals and not below zero', async () => {
  const caller = await aSandbox();
  const set = await caller.post('/__sandbox/balance', { currency: 'KWD', amount: '12.345' });
  expect(set.body).toEqual({ currency: 'KWD', amount: '12.345' });
  for (const wrong of [{ amount: '1.2345' }, { amount: -1 }, {}, { amount: 1, credit: 1 }]) {
    expect((await caller.post('/__sandbox/balance', { currency: 'KWD', ...wrong })).status, JSON.stringify(wrong)).toBe(
      400,
    );
  }
  expect(caller.sandbox.ledger()).toMatchObject({ invariantHolds: true, balances: { KWD: '12.345' } });
});

test('a reset restores the initial state, and earlier scheduled events do not run', async () => {
  const caller = await (await aSandbox()).signIn();
  const before = caller.sandbox.ledger().balances;
  const payment = await caller.aPayment();
  await caller.fund(payment);
  await caller.post('/__sandbox/faults', [{ operation: '*', kind: 'error_before' }]);
  await caller.post('/__sandbox/reset');
  caller.sandbox.advance(60_000);
  expect(caller.sandbox.ledger()).toMatchObject({ balances: before, payments: {}, requests: { total: 0 } });
  expect((await caller.get('/balances/v1/find')).status).toBe(401);
  await caller.signIn();
  expect((await caller.get(`/simple-payments/v1/item/${asText(payment['simplePaymentId'])}`)).status).toBe(404);
  const again = await caller.aPayment();
  expect(again['simplePaymentId']).not.toBe(payment['simplePaymentId']);
});

test('the clock moves forward by whole milliseconds only', async () => {
  const caller = await aSandbox();
  expect((await caller.post('/__sandbox/clock', { advanceMs: 1500 })).body['now']).toBe('2026-03-02T09:00:01.500Z');
  expect((await caller.post('/__sandbox/clock', { advanceMs: -1 })).status).toBe(400);
  expect((await caller.post('/__sandbox/clock', { advanceMs: 0.5 })).status).toBe(400);
});

test('the same seed gives the same results', async () => {
  const resultOf = async (seed: number): Promise<Loose> => {
    const caller = await (await aSandbox({ seed })).signIn();
    const payment = await caller.aPayment();
    await caller.fund(payment);
    caller.sandbox.advance(60_000);
    return caller.read(payment);
  };
  expect(await resultOf(5)).toEqual(await resultOf(5));
  expect(await resultOf(6)).not.toEqual(await resultOf(5));
});

test('the description is OpenAPI 3.1 and contains every operation once', async () => {
  const caller = await aSandbox();
  const { body } = await caller.get('/__sandbox/openapi.json');
  expect(body['openapi']).toBe('3.1.0');
  for (const { method, path, ids } of operations) {
    const described = body['paths']![path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    expect(described?.['operationId'], path).toBe(ids.join('_or_'));
    expect(described?.['responses'], path).toHaveProperty('200');
  }
  const ids = operations.flatMap((operation) => operation.ids);
  expect(new Set(ids).size).toBe(ids.length);
});

test('authorized requests are listed and logged', async () => {
  const logged: string[] = [];
  const caller = await (
    await aSandbox({ log: ({ operation, status }) => logged.push(`${operation} ${status}`) })
  ).signIn();
  await caller.get('/currencies/v1/pairs');
  await caller.get('/currencies/v1/rates/XXXXXX');
  const lines = (await caller.get('/__sandbox/requests')).body as unknown as Loose[];
  expect(lines.map(({ operation, status }) => [operation, status])).toEqual([
    ['auth-authenticate', 200],
    ['currency-pairs', 200],
    ['currency-rate', 404],
  ]);
  expect(logged).toEqual(['auth-authenticate 200', 'currency-pairs 200', 'currency-rate 404']);
});

test('two accounts with the same API key are refused', async () => {
  await expect(startSandbox({ accounts: [defaultAccount, defaultAccount] })).rejects.toThrow('same apiKey');
});
