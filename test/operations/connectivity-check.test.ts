import { expect, test } from 'vitest';
import {
  createUnlimitedRateLimiter,
  RateLimiterRefusal,
  type RateLimiter,
} from '../../provider/rate-limiter/rate-limiter.ts';
import { checkConnectivity } from '../../operations/connectivity-check.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { AUTHENTICATE, aClient, aLocalProvider, CREDENTIALS, type Reply } from '../provider/local-provider.ts';

/** The result of a check with these replies to the sign-in and to the call after it; undefined: as a provider replies. */
async function checked(replies: { signIn?: Reply; call?: Reply }): Promise<string | null> {
  const provider = await aLocalProvider(({ path }) =>
    path === AUTHENTICATE ? replies.signIn : (replies.call ?? { body: ['USDSGD'] }),
  );
  return checkConnectivity(aClient(provider), 5_000);
}

/** A provider may quote the request. */
const echo = { message: `bad: ${Object.values(CREDENTIALS).join(' ')} token-1-of-the-provider` };

test('an account that can sign in and send a request has no problem', async () => {
  expect(await checked({})).toBeNull();
});

test.each([
  [{ signIn: { status: 401, body: echo } }, /^credentials: .*PAYRUN_ACCESS_KEY_ID.*PAYRUN_SECRET_ACCESS_KEY.*HTTP 401/],
  [{ signIn: { status: 400, body: echo } }, /^credentials: .*HTTP 400/],
  [{ signIn: { status: 403, body: echo } }, /^credentials: .*PAYRUN_API_KEY.*HTTP 403/],
  [{ call: { status: 401, body: echo } }, /^permission: .*HTTP 401/],
  [{ call: { status: 403, body: echo } }, /^permission: .*HTTP 403/],
  [{ signIn: { status: 429, headers: { 'retry-after': '7' }, body: echo } }, /^limit: .*7 s/],
  [{ call: { status: 429, headers: { 'retry-after': '7' }, body: echo } }, /^limit: .*7 s/],
  [{ signIn: { status: 404, body: echo } }, /^address: .*not the provider's API.*HTTP 404/],
  [{ call: { status: 404, body: echo } }, /^address: .*not the provider's API.*HTTP 404/],
  [{ signIn: { status: 302, headers: { location: '/' } } }, /^address: .*redirect.*HTTP 302/],
  [{ signIn: { body: '<html>Welcome</html>' } }, /^address: .*not the provider's API/],
  [{ call: { status: 503, body: echo } }, /^address: .*internal error.*HTTP 503/],
])('%j', async (replies, said) => {
  const text = await checked(replies);
  expect(text).toMatch(said);
  for (const secret of [...Object.values(CREDENTIALS), 'token-1']) expect(text).not.toContain(secret);
});

test('an address where nothing listens is named', async () => {
  const said = await checkConnectivity(aClient({ baseUrl: 'http://127.0.0.1:1' }), 5_000);
  expect(said).toBe('address: nothing listens there (ECONNREFUSED)');
});

test('an untrusted certificate is named, with what to do', async () => {
  const provider = await aLocalProvider(() => ({}), aTestAuthority().server);
  const said = await checkConnectivity(aClient(provider), 5_000);
  expect(said).toMatch(/^address: its certificate is not trusted \([A-Z_]+\): .*PAYRUN_API_CA_FILE/);
});

test.each([0, 1])('if others use the whole limit after %i requests, the check ends soon', async (admitted) => {
  const provider = await aLocalProvider(() => undefined);
  const client = aClient(provider, { rateLimiter: admitting(admitted) });
  expect(await checkConnectivity(client, 100)).toBe(
    'limit: no request lease was free within 0.1 s: other processes use the whole limit',
  );
});

/** A rate limiter that admits this many requests; then all leases are in use. */
function admitting(admitted: number): RateLimiter {
  const open = createUnlimitedRateLimiter();
  let passed = 0;
  return {
    ...open,
    run: (send, options) => {
      passed += 1;
      if (passed <= admitted) return open.run(send, options);
      return new Promise((_resolve, reject) => {
        options?.signal?.addEventListener('abort', () => reject(new RateLimiterRefusal('given up before it was sent')));
      });
    },
  };
}

test('an exhausted daily limit is reported as a limit', async () => {
  const spent: RateLimiter = {
    run: () => Promise.reject(new RateLimiterRefusal("the day's requests are used up", { retryInMs: 3_600_000 })),
    drained: () => Promise.resolve(),
  };
  const said = await checkConnectivity(aClient({ baseUrl: 'http://127.0.0.1:1' }, { rateLimiter: spent }), 5_000);
  expect(said).toBe("limit: the day's requests are used up");
});
