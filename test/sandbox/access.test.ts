import { expect, test } from 'vitest';
import { aSandbox, asText, Caller } from './a-sandbox.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';

const hourMs = 3_600_000;

test('a request without an API key, or with an unknown one, is 403 even when it has no token either', async () => {
  const caller = await aSandbox();
  const missing = await caller.send('GET', '/balances/v1/find', undefined, { 'x-api-key': '' });
  const unknown = await caller.send('GET', '/balances/v1/find', undefined, { 'x-api-key': 'nobody' });
  expect([missing.status, unknown.status]).toEqual([403, 403]);
  expect(missing.body).toEqual({ code: 'forbidden', message: 'X-Api-Key is missing' });
});

test.each([
  ['no token', undefined],
  ['an invented token', 'abc'],
  ['a token behind the word Bearer', 'Bearer'],
])('%s is 401 with the exact message', async (_, header) => {
  const caller = await (await aSandbox()).signIn();
  if (header === 'Bearer') caller.token = `Bearer ${caller.token}`;
  else caller.token = header ?? '';
  const answer = await caller.get('/balances/v1/find');
  expect(answer.status).toBe(401);
  expect(answer.body['message']).toBe('authentication_failed');
});

test('a token is the answer of authenticate without an envelope, and only for the right secret', async () => {
  const caller = await aSandbox();
  const { accessKeyId } = defaultAccount;
  const wrong = await caller.post('/users/v1/authenticate', { accessKeyId, secretAccessKey: 'guess' });
  expect([wrong.status, wrong.body['code']]).toEqual([401, 'authentication_failed']);
  const right = await caller.post('/users/v1/authenticate', defaultAccount);
  expect(Object.keys(right.body)).toEqual(['token']);
  const incomplete = await caller.post('/users/v1/authenticate', { accessKeyId });
  expect([incomplete.status, incomplete.body['code']]).toEqual([400, 'validation_failed']);
  expect(asText(incomplete.body['message'])).toContain('secretAccessKey');
});

test('a token is valid for eight hours and not longer', async () => {
  const caller = await (await aSandbox()).signIn();
  caller.sandbox.advance(8 * hourMs - 1);
  expect((await caller.get('/balances/v1/find')).status).toBe(200);
  caller.sandbox.advance(1);
  expect((await caller.get('/balances/v1/find')).status).toBe(401);
});

test('logout ends the token in use and leaves another one valid', async () => {
  const first = await (await aSandbox()).signIn();
  const second = await new Caller(first.sandbox, first.apiKey).signIn();
  const answer = await first.send('POST', '/users/v1/logout');
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect((await first.get('/balances/v1/find')).status).toBe(401);
  expect((await second.get('/balances/v1/find')).status).toBe(200);
});

test('the sixth request in a second is 429 with Retry-After, and the ledger counts it', async () => {
  let monotonicMs = 0;
  const caller = await aSandbox({ limitPerSecond: 5, monotonicNow: () => monotonicMs });
  await caller.signIn();
  for (let request = 0; request < 4; request++) expect((await caller.get('/balances/v1/find')).status).toBe(200);
  const refused = await caller.get('/balances/v1/find');
  expect([refused.status, refused.body['code'], refused.headers.get('retry-after')]).toEqual([
    429,
    'rate_limited',
    '1',
  ]);
  monotonicMs = 1000;
  expect((await caller.get('/balances/v1/find')).status).toBe(200);
  expect(caller.sandbox.ledger()).toMatchObject({ rejectedByLimit: 1, mostInAnySecond: 6 });
  expect(caller.sandbox.ledger().requests).toMatchObject({ total: 7, byOperation: { 'balance-find': 6 } });
});

test('API keys share neither limit nor tokens nor data', async () => {
  const second = { apiKey: 'second', accessKeyId: 'id', secretAccessKey: 'secret', balances: { USD: '1.00' } };
  const one = await aSandbox({ accounts: [defaultAccount, second], limitPerSecond: 2, monotonicNow: () => 0 });
  const two = await new Caller(one.sandbox, 'second').signIn('id', 'secret');
  await one.signIn();
  const balances = await two.get('/balances/v1/find');
  expect(balances.text).toContain('"amount":1.00,"currency":"USD"');
  one.token = two.token;
  expect((await one.get('/balances/v1/find')).status).toBe(401);
  expect((await one.get('/balances/v1/find')).status).toBe(429);
  expect(one.sandbox.ledger('second')).toMatchObject({ rejectedByLimit: 0, balances: { USD: '1.00' } });
});

test('an unknown path is 404 after the same authorization', async () => {
  const caller = await aSandbox();
  expect((await caller.get('/nowhere')).status).toBe(404);
  expect((await caller.send('GET', '/nowhere', undefined, { 'x-api-key': '' })).status).toBe(403);
  expect((await caller.send('GET', '/__sandbox/nowhere', undefined, { 'x-api-key': '' })).status).toBe(404);
  expect(caller.sandbox.ledger().requests).toEqual({ total: 2, byOperation: {} });
});

test('a body that is not JSON, or not declared as JSON, is 400', async () => {
  const caller = await (await aSandbox()).signIn();
  const broken = await caller.send('POST', '/simple-payments/v1/fund', '{"simplePaymentId":');
  const undeclared = await caller.send('POST', '/simple-payments/v1/fund', '{}', { 'content-type': 'text/csv' });
  expect([broken.status, broken.body['message']]).toEqual([400, 'body: is not JSON']);
  expect([undeclared.status, undeclared.body['code']]).toEqual([400, 'validation_failed']);
});
