import { request } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aGermanCompany, aSandbox, type Answer, type Caller, type Loose } from './a-sandbox.ts';

const findPath = '/simple-payments/v1/find';

const find = (caller: Caller, body: unknown): Promise<Answer> => caller.send('POST', findPath, body);

const signUp = {
  firstName: 'Mei',
  lastName: 'Tan',
  email: 'mei@example.com',
  countryCode: 'SG',
  accountType: 'company',
};

/** Sends any method, path and bytes, also those that fetch would correct or refuse. */
function sendRaw(caller: Caller, method: string, path: string, bytes?: Uint8Array): Promise<Pick<Answer, 'status'>> {
  const headers = {
    'x-api-key': caller.apiKey,
    authorization: caller.token,
    ...(bytes ? { 'content-type': 'application/json' } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL(caller.sandbox.url), { method, path, headers }, (response) => {
      response.resume().once('end', () => resolve({ status: response.statusCode ?? 0 }));
    });
    sent.once('error', reject).end(bytes);
  });
}

test.each(['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'QUERY'])(
  '%s is 405 where a path has other methods, and Allow names them',
  async (method) => {
    const caller = await (await aSandbox()).signIn();
    const answer = await caller.send(method, '/v2/company/any');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, PATCH']);
    const control = await caller.send(method, '/__sandbox/ledger');
    expect([control.status, control.headers.get('allow')]).toEqual([405, 'GET']);
  },
);

test('a wrong method is 403 without an API key, like every request, and 404 for an unknown path', async () => {
  const caller = await aSandbox();
  const keyless = await caller.send('PUT', '/v2/company/any', undefined, { 'x-api-key': '' });
  expect(keyless.status).toBe(403);
  expect((await caller.send('PUT', '/v2/company')).status).toBe(404);
  expect((await sendRaw(caller, 'TRACE', '/v2/company/any')).status).toBe(405);
});

test('a number is not accepted as an object, neither as the body nor in its fields', async () => {
  const caller = await (await aSandbox()).signIn();
  expect((await find(caller, '0')).status).toBe(400);
  const beneficiary = await caller.post('/beneficiaries/v1/create', { ...aGermanCompany, intermediaryBank: 7 });
  expect([beneficiary.status, beneficiary.body['code']]).toEqual([400, 'validation_failed']);
  expect(beneficiary.body['message']).toContain('intermediaryBank');
});

test.each([
  ['half a surrogate pair', Buffer.from(String.raw`{"referenceId":"\ud83d"}`)],
  ['half a surrogate pair behind a backslash', Buffer.from(String.raw`{"referenceId":"\\\udc00"}`)],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['the same key twice with different values', Buffer.from('{"referenceId":"a","referenceId":"b"}')],
  ['arrays in arrays, hundreds of thousands deep', Buffer.from('['.repeat(500_000))],
])('%s is 400', async (_, bytes) => {
  const caller = await (await aSandbox()).signIn();
  expect((await sendRaw(caller, 'POST', findPath, bytes)).status).toBe(400);
});

test.each([
  ['a whole surrogate pair', String.raw`{"referenceId":"\ud83d\ude00"}`],
  ['an escaped backslash before a u', String.raw`{"referenceId":"\\ud83d"}`],
  ['a NUL', String.raw`{"referenceId":"\u0000"}`],
  ['a field that is called __proto__', '{"__proto__":{"referenceId":1}}'],
])('%s is text like any other', async (_, body) => {
  const caller = await (await aSandbox()).signIn();
  expect((await find(caller, body)).status).toBe(200);
});

test('lengths are counted in code points, as in the description', async () => {
  const caller = await (await aSandbox()).signIn();
  const named = (firstName: string): Promise<Answer> => caller.post('/v2/signup', { ...signUp, firstName });
  expect((await named('😀'.repeat(65))).status).toBe(400);
  expect((await named('😀'.repeat(64))).status).toBe(200);
});

test.each([`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`, 'a..b@example.com', 'a@example'])(
  'the e-mail address %s is refused',
  async (email) => {
    const caller = await (await aSandbox()).signIn();
    const { status, body } = await caller.post('/users/v1/forgot-password', { email });
    expect([status, body['message']]).toEqual([400, 'email: must be an e-mail address']);
  },
);

test.each([
  ['2026-02-30', 400],
  ['2025-02-29', 400],
  ['2024-02-29', 200],
  ['2026-03-02T24:00:00Z', 400],
  ['2026-03-02T09:00:00+05:30', 200],
])('a bound of %s is answered with %i: it must be a calendar day', async (startDate, status) => {
  const caller = await (await aSandbox()).signIn();
  expect((await find(caller, { startDate })).status).toBe(status);
});

test.each([
  ['1e-300', '1e-300'],
  ['-1e308', '-1e308'],
  ['1e999', '1e999'],
  ['400 digits', '1'.repeat(400)],
  ['no cents but a tenth of a millionth', '1e-7'],
])('an amount of %s is 400', async (_, amount) => {
  const caller = await (await aSandbox()).signIn();
  const body = `{"buyCurrency":"EUR","sellCurrency":"USD","fixedSide":"sell","amount":${amount}}`;
  const answer = await caller.send('POST', '/conversions/v1/quote', body);
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
});

test('a length in bytes has no decimals', async () => {
  const caller = await (await aSandbox()).signIn();
  const ask = (contentLength: number): Promise<Answer> =>
    caller.post('/simple-payments/v1/get-upload-url', { fileName: 'a.pdf', contentLength });
  expect((await ask(1.5)).status).toBe(400);
  expect((await ask(10)).status).toBe(200);
});

test('a path that is wrongly encoded is 400, an id of any length is 404, a query key given twice is 400', async () => {
  const caller = await (await aSandbox()).signIn();
  expect((await sendRaw(caller, 'GET', '/v2/users/%E0%A4%A')).status).toBe(400);
  expect((await caller.get(`/v2/users/${'a'.repeat(4000)}`)).status).toBe(404);
  expect((await caller.get('/v2/fundings?status=completed&status=pending')).status).toBe(400);
});

test('the clock cannot be advanced to years with more than four digits', async () => {
  const caller = await aSandbox();
  caller.sandbox.advance(Date.UTC(9998, 11, 1) - Date.UTC(2026, 2, 2, 9));
  const answer = await caller.post('/__sandbox/clock', { advanceMs: 3660 * 86_400_000 });
  expect([answer.status, answer.body['code']]).toEqual([400, 'validation_failed']);
  expect((await caller.get('/__sandbox/health')).body['now']).toMatch(/^9998-12-01/);
});

test('no control call answers invalid input with a 500', async () => {
  const caller = await aSandbox();
  const { body } = await caller.get('/__sandbox/openapi.json');
  const calls = Object.entries(body['paths']!).flatMap(([path, methods]) =>
    path.startsWith('/__sandbox') ? Object.keys(methods).map((method) => [method.toUpperCase(), path] as const) : [],
  );
  const fields = fieldsOf(body);
  const nonsense = fc.oneof(fc.jsonValue(), fc.dictionary(fc.constantFrom(...fields), fc.jsonValue()));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...calls), nonsense, fc.string(), async ([method, path], sent, key) => {
      const query = key === '' ? '' : `?key=${encodeURIComponent(key)}`;
      const { status } = await caller.send(
        method,
        `${path}${query}`,
        method === 'GET' ? undefined : JSON.stringify(sent),
      );
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 200, seed: 7 },
  );
});

/** The names of all fields of control calls. */
function fieldsOf({ paths }: Loose): string[] {
  const names = Object.entries(paths!).flatMap(([path, methods]) => {
    const schema = methods['post']?.['requestBody']?.['content']?.['application/json']?.['schema'];
    return path.startsWith('/__sandbox')
      ? Object.keys(schema?.['properties'] ?? schema?.['items']?.['properties'] ?? {})
      : [];
  });
  return [...new Set(names)];
}
