import { describe, expect, test } from 'vitest';
import { createUnlimitedRateLimiter, type RateLimiter } from '../../provider/rate-limiter/rate-limiter.ts';
import { createSession, type StoredToken } from '../../provider/calls/session.ts';
import { AUTHENTICATE, aClient, aLocalProvider, CREDENTIALS } from './local-provider.ts';
import { MemoryTokenStore } from './memory-token-store.ts';

const HOUR_MS = 3_600_000;

function aSession(tokens: MemoryTokenStore, now: () => number) {
  const issued: StoredToken[] = [];
  const session = createSession({
    account: 'default',
    tokens,
    now,
    authenticate: () => {
      const token = { token: `token ${issued.length + 1}`, expiresAtMs: now() + 8 * HOUR_MS };
      issued.push(token);
      return Promise.resolve(token);
    },
  });
  return { session, issued };
}

describe('session', () => {
  test('a token is read from the store once, and then cached in the process', async () => {
    const tokens = new MemoryTokenStore(() => 0);
    const { session, issued } = aSession(tokens, () => 0);
    await session.token();
    const readsAtFirst = tokens.reads;
    expect([await session.token(), await session.token()]).toEqual(['token 1', 'token 1']);
    expect(issued).toHaveLength(1);
    expect(tokens.reads).toBe(readsAtFirst);
  });

  test('a token is renewed five minutes before its eight hours end, not earlier', async () => {
    let nowMs = 0;
    const { session } = aSession(new MemoryTokenStore(() => nowMs), () => nowMs);
    await session.token();
    nowMs = 8 * HOUR_MS - 5 * 60_000 - 1;
    expect(await session.token()).toBe('token 1');
    nowMs += 1;
    expect(await session.token()).toBe('token 2');
  });

  test('a token that another process has stored is used instead of a renewal', async () => {
    const tokens = new MemoryTokenStore(() => 0);
    const one = aSession(tokens, () => 0);
    const other = aSession(tokens, () => 0);
    expect([await one.session.token(), await other.session.token()]).toEqual(['token 1', 'token 1']);
    tokens.put('default', { token: 'of a third process', expiresAtMs: HOUR_MS });
    expect(await one.session.tokenAfterRefusal('token 1')).toBe('of a third process');
    expect([one.issued.length, other.issued.length]).toEqual([1, 0]);
  });

  test('two processes whose token is refused renew it once', async () => {
    const tokens = new MemoryTokenStore(() => 0);
    tokens.put('default', { token: 'refused', expiresAtMs: HOUR_MS });
    const sessions = [aSession(tokens, () => 0), aSession(tokens, () => 0)];
    await Promise.all(sessions.map(({ session }) => session.token()));
    const renewed = await Promise.all(sessions.map(({ session }) => session.tokenAfterRefusal('refused')));
    expect(new Set(renewed)).toEqual(new Set(['token 1']));
    expect(sessions.flatMap(({ issued }) => issued)).toHaveLength(1);
  });

  test('a renewal that started for another reason does not return a refused token', async () => {
    const tokens = new MemoryTokenStore(() => 0);
    tokens.put('default', { token: 'refused', expiresAtMs: HOUR_MS });
    const { session } = aSession(tokens, () => 0);
    const [plain, afterRefusal] = await Promise.all([session.token(), session.tokenAfterRefusal('refused')]);
    expect([plain, afterRefusal]).toEqual(['refused', 'token 1']);
  });

  test('a failed renewal is tried again by the next request', async () => {
    let fails = true;
    const session = createSession({
      account: 'default',
      tokens: new MemoryTokenStore(() => 0),
      now: () => 0,
      authenticate: () =>
        fails ? Promise.reject(new Error('away')) : Promise.resolve({ token: 'good', expiresAtMs: HOUR_MS }),
    });
    await expect(session.token()).rejects.toThrow('away');
    fails = false;
    expect(await session.token()).toBe('good');
  });
});

describe('authentication over HTTP', () => {
  test('the token is sent unprefixed in Authorization, and the request for it without one', async () => {
    const provider = await aLocalProvider((request) => (request.path === AUTHENTICATE ? undefined : { body: [] }));
    await aClient(provider).currencies.pairs();
    const [authenticate, pairs] = provider.requests;
    expect(authenticate).toMatchObject({ method: 'POST', path: AUTHENTICATE });
    expect(authenticate?.headers.authorization).toBeUndefined();
    expect(JSON.parse(authenticate!.body)).toEqual({
      accessKeyId: CREDENTIALS.accessKeyId,
      secretAccessKey: CREDENTIALS.secretAccessKey,
    });
    expect(pairs?.headers.authorization).toBe('token-1-of-the-provider');
    expect(provider.requests.map((request) => request.headers['x-api-key'])).toEqual([
      CREDENTIALS.apiKey,
      CREDENTIALS.apiKey,
    ]);
  });

  test('the token is renewed once when two requests get 401, and each is sent once more', async () => {
    const provider = await aLocalProvider(({ path, headers }) => {
      if (path === AUTHENTICATE) return undefined;
      return headers.authorization === 'token-1-of-the-provider' ? { status: 401, body: {} } : { body: [] };
    });
    const client = aClient(provider);
    await Promise.all([client.currencies.pairs(), client.balances.find()]);
    expect(provider.requests.filter((request) => request.path === AUTHENTICATE)).toHaveLength(2);
    expect(provider.apiRequests()).toHaveLength(4);
  });

  test.each([400, 403, 404, 409, 429, 500, 503])('a request is not sent again after %i', async (status) => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { status }));
    await expect(aClient(provider).simplePayments.fund({ simplePaymentId: 'p-1' })).rejects.toThrow();
    expect(provider.apiRequests()).toHaveLength(1);
  });

  test('the request for a token passes the rate limiter like every other one, and may use the day’s reserve', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: [] }));
    const open = createUnlimitedRateLimiter();
    const passes: (boolean | undefined)[] = [];
    const rateLimiter: RateLimiter = {
      ...open,
      run: (send, options) => {
        passes.push(options?.mayUseReserve);
        return open.run(send, options);
      },
    };
    await aClient(provider, { rateLimiter }).currencies.pairs();
    expect(passes).toEqual([true, false]);
    expect(provider.requests).toHaveLength(2);
  });

  test('a second 401 is final', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { status: 401 }));
    await expect(aClient(provider).currencies.pairs()).rejects.toMatchObject({
      kind: 'unauthenticated',
      operation: 'currency-pairs',
      httpStatus: 401,
    });
    expect(provider.apiRequests()).toHaveLength(2);
  });

  test.each([
    ['wrong credentials', { status: 401 }, 'unauthenticated'],
    ['a wrong key', { status: 403 }, 'unauthenticated'],
    ['a fault', { status: 500 }, 'not_sent'],
    ['an answer without a token', { body: {} }, 'not_sent'],
    ['an exceeded limit', { status: 429, headers: { 'Retry-After': '3' } }, 'rate_limited'],
  ])(
    '%s at authentication means that the payment was not sent, and authentication is tried once',
    async (_, reply, kind) => {
      const provider = await aLocalProvider(() => reply);
      const funding = aClient(provider).simplePayments.fund({ simplePaymentId: 'p-1' });
      await expect(funding).rejects.toMatchObject({ kind, operation: 'simple-payment-fund' });
      expect(provider.requests.map((request) => request.path)).toEqual([AUTHENTICATE]);
    },
  );

  test('the eight hours are counted from the request for the token', async () => {
    let nowMs = 1_000;
    const tokens = new MemoryTokenStore(() => nowMs);
    const provider = await aLocalProvider(({ path }) => {
      if (path === AUTHENTICATE) nowMs = 60_000;
      return path === AUTHENTICATE ? undefined : { body: [] };
    });
    await aClient(provider, { tokens, now: () => nowMs }).currencies.pairs();
    expect((await tokens.read('default'))?.expiresAtMs).toBe(1_000 + 8 * HOUR_MS);
  });

  test('a logout forgets the token, and the next request gets another one', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: [] }));
    const client = aClient(provider);
    await client.authentication.logout();
    expect(provider.requests).toEqual([]);
    await client.currencies.pairs();
    await client.authentication.logout();
    await client.currencies.pairs();
    expect(provider.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      [AUTHENTICATE, undefined],
      ['/currencies/v1/pairs', 'token-1-of-the-provider'],
      ['/users/v1/logout', 'token-1-of-the-provider'],
      [AUTHENTICATE, undefined],
      ['/currencies/v1/pairs', 'token-2-of-the-provider'],
    ]);
  });
});
