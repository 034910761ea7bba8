import { describe, expect, test } from 'vitest';
import type { Operation } from '../../provider/operations.ts';
import { failureOf } from './call-every-operation.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply, aNotingRateLimiter } from './local-provider.ts';

/** A gateway in front of the provider may replace the answer to a request that was carried out by one of its own. */

/** What must not be done twice. */
const NOT_TWICE: readonly Operation[] = [
  'auth-signup-v1',
  'user-signup-v2',
  'user-screen',
  'document-create',
  'beneficiary-create',
  'conversion-create',
  'conversion-fund',
  'simple-payment-create',
  'simple-payment-fund',
  'virtual-account-request-create',
];
const HARMLESS: readonly Operation[] = ['simple-payment-get', 'balance-history', 'conversion-quote'];

const ANSWERS: [string, Reply][] = [
  ['a page', { body: '<html><body>Blocked</body></html>' }],
  ['a page that asks for a pause', { body: '<html>Blocked</html>', headers: { 'Retry-After': '2' } }],
  ['another text', { body: 'Blocked by policy 17' }],
  ['JSON that names no error', { body: { ray: '7f' } }],
  ['nothing', { body: '' }],
];

describe.each([401, 403, 429])('an answer %i that is not known to be of the provider', (status) => {
  test.each(ANSWERS)(
    'says nothing about what must not be done twice, and has nothing sent again: %s',
    async (_, reply) => {
      const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { status, ...reply }));
      const client = aClient(provider);
      for (const operation of NOT_TWICE) {
        const failure = await failureOf(client, operation, provider.baseUrl);
        expect([operation, failure]).toMatchObject([operation, { kind: 'unknown_outcome', httpStatus: status }]);
      }
      expect(provider.apiRequests()).toHaveLength(NOT_TWICE.length);
    },
  );

  test.each(ANSWERS)('is about the credentials or the limit where repeating does no harm: %s', async (_, reply) => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { status, ...reply }));
    const client = aClient(provider);
    for (const operation of HARMLESS) {
      const failure = await failureOf(client, operation, provider.baseUrl);
      const isPause = status === 429 || (status === 403 && reply.headers !== undefined);
      expect([operation, failure]).toMatchObject([operation, { kind: isPause ? 'rate_limited' : 'unauthenticated' }]);
    }
  });
});

test.each([
  ['429', { status: 429, body: '<html>' }, null],
  ['429 with Retry-After', { status: 429, body: '<html>', headers: { 'Retry-After': '2' } }, 2_000],
  ['503 with Retry-After', { status: 503, body: '<html>', headers: { 'Retry-After': '2' } }, 2_000],
  ['403 with Retry-After', { status: 403, body: '<html>', headers: { 'Retry-After': '2' } }, 2_000],
])('a page with %s pauses every request, although the outcome of its own is unknown', async (_, reply, pauseMs) => {
  const pausesMs: (number | null)[] = [];
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  const client = aClient(provider, { rateLimiter: aNotingRateLimiter(pausesMs) });
  const funding = client.simplePayments.fund({ simplePaymentId: 'p-1' });
  await expect(funding).rejects.toMatchObject({ kind: 'unknown_outcome', retryAfterMs: pauseMs ?? 1_000 });
  expect(pausesMs).toEqual([pauseMs]);
});

test('a 401 of the provider has a funding sent once more, with another token', async () => {
  const body = { code: 'authentication_failed', message: 'authentication_failed' };
  const provider = await aLocalProvider(({ path, headers }) => {
    if (path === AUTHENTICATE) return undefined;
    if (headers.authorization === 'token-1-of-the-provider') return { status: 401, body };
    return { body: { data: { conversionId: 'c-1', status: 'awaiting_funds' } } };
  });
  await aClient(provider).conversions.fund({ conversionId: 'c-1' });
  expect(provider.apiRequests()).toHaveLength(2);
});
