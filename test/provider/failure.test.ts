import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { retryAfterMs } from '../../provider/rate-limiter/pause-after-429.ts';
import {
  AUTHENTICATE,
  aClient,
  aLocalProvider,
  type Reply,
  type Responder,
  aNotingRateLimiter,
} from './local-provider.ts';

const PAYMENT = {
  quoteId: 'q-1',
  fundingSource: 'OTHER',
  paymentReference: 'INV 7',
  purposeOfTransfer: 'PAYR',
  fundingMethod: 'PAYNOW',
  referenceId: 'r-1',
  uniqueReferenceId: true,
} as const;

async function failureOf(work: Promise<unknown>): Promise<ProviderFailure> {
  const error = await work.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderFailure);
  return error as ProviderFailure;
}

const WAIT = { 'Retry-After': '2' };
const FORBIDDEN = { code: 'forbidden', message: 'X-Api-Key is unknown' };

const create = (client: ProviderClient) => client.simplePayments.create(PAYMENT);
const fund = (client: ProviderClient) => client.simplePayments.fund({ simplePaymentId: 'p-1' });
const read = (client: ProviderClient) => client.simplePayments.item('p-1');

/** The failure of a call that the responder answers. Tokens are always issued. */
async function failureWith(
  respond: Responder,
  call: (client: ProviderClient) => Promise<unknown>,
  limits: { timeoutMs?: number; maxAnswerBytes?: number } = {},
): Promise<ProviderFailure> {
  const provider = await aLocalProvider((request, response) =>
    request.path === AUTHENTICATE ? undefined : respond(request, response),
  );
  return failureOf(call(aClient(provider, { limits })));
}

describe('the outcome of an answer', () => {
  test.each<[string, Reply, (client: ProviderClient) => Promise<unknown>, string]>([
    ['429', { status: 429, body: { code: 'rate_limited' } }, create, 'rate_limited'],
    ['403 with Retry-After', { status: 403, headers: WAIT, body: FORBIDDEN }, create, 'rate_limited'],
    ['503 with Retry-After', { status: 503, headers: { 'Retry-After': '2' } }, create, 'unknown_outcome'],
    ['503 without Retry-After', { status: 503 }, create, 'unknown_outcome'],
    ['503 to a read', { status: 503 }, read, 'unknown_outcome'],
    ['500', { status: 500 }, fund, 'unknown_outcome'],
    ['408', { status: 408 }, fund, 'unknown_outcome'],
    ['a redirect', { status: 307, headers: { Location: 'http://127.0.0.1:1/' } }, create, 'unknown_outcome'],
    ['403', { status: 403, body: FORBIDDEN }, create, 'unauthenticated'],
    ['403 to a funding', { status: 403, body: FORBIDDEN }, fund, 'unauthenticated'],
    ['401', { status: 401, body: { code: 'authentication_failed' } }, fund, 'unauthenticated'],
    ['401 with the message alone', { status: 401, body: 'authentication_failed' }, fund, 'unauthenticated'],
    ['404', { status: 404 }, read, 'refused'],
    ['404 that is a page', { status: 404, body: '<html><body>no route</body></html>' }, read, 'unknown_outcome'],
    ['404 without a message, for a path without a record id', { status: 404 }, create, 'unknown_outcome'],
    ['404 with a message', { status: 404, body: { message: 'no such quote' } }, create, 'refused'],
    ['405', { status: 405, body: { message: 'not allowed' } }, fund, 'unknown_outcome'],
    ['400 that is a page', { status: 400, body: '<!DOCTYPE html><p>Bad Request' }, fund, 'unknown_outcome'],
    ['402', { status: 402, body: { error: 'top up' } }, fund, 'refused'],
    ['422 without a message', { status: 422 }, fund, 'refused'],
    ['400', { status: 400, body: { code: 'quote_expired' } }, create, 'refused'],
    ['409 to a creation', { status: 409 }, create, 'duplicate_reference'],
    ['400 about the reference', { status: 400, body: 'referenceId is not good' }, create, 'duplicate_reference'],
    ['400, payment reference taken', { status: 400, body: 'Payment reference exists' }, create, 'duplicate_reference'],
    ['400, payment reference too long', { status: 400, body: 'paymentReference is too long' }, create, 'refused'],
    ['409 to a funding', { status: 409, body: { code: 'not_fundable' } }, fund, 'refused'],
    ['2xx without content', { body: '' }, create, 'unknown_outcome'],
    ['2xx that is not JSON', { body: '<html>' }, create, 'unknown_outcome'],
    ['2xx without an id', { body: { data: { status: 'processing' } } }, fund, 'unknown_outcome'],
    [
      'a list that is not a list',
      { body: { data: null } },
      (client) => client.simplePayments.find(),
      'unknown_outcome',
    ],
  ])('%s', async (_, reply, call, kind) => {
    const failure = await failureWith(() => reply, call);
    expect(failure).toMatchObject({ kind, httpStatus: reply.status ?? 200 });
  });
});

describe('the outcome without an answer', () => {
  test('a request was not sent if the connection is refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const failure = await failureOf(fund(aClient({ baseUrl: `http://127.0.0.1:${port}` })));
    expect(failure).toMatchObject({ kind: 'not_sent', operation: 'simple-payment-fund' });
  });

  test('a request was not sent if its TLS handshake never ends', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const client = aClient({ baseUrl: `https://127.0.0.1:${port}` }, { limits: { connectTimeoutMs: 60 } });
    expect(await failureOf(fund(client))).toMatchObject({ kind: 'not_sent' });
  });

  test('a connection that breaks after sending leaves the outcome unknown', async () => {
    const failure = await failureWith((_, response) => {
      response.destroy();
      return undefined;
    }, fund);
    expect(failure).toMatchObject({ kind: 'unknown_outcome', httpStatus: null });
  });

  test('an answer that does not come in time leaves the outcome unknown', async () => {
    const failure = await failureWith(() => undefined, create, { timeoutMs: 60 });
    expect(failure).toMatchObject({ kind: 'unknown_outcome' });
    expect(failure.message).toContain('no answer within 60 ms');
  });

  test('an answer that breaks off leaves the outcome unknown', async () => {
    const failure = await failureWith((_, response) => {
      response.writeHead(200, { 'Content-Length': '500' });
      response.write('{"data":', () => response.destroy());
      return undefined;
    }, fund);
    expect(failure.kind).toBe('unknown_outcome');
  });

  test('an answer beyond the size limit is cut off and leaves the outcome unknown', async () => {
    const failure = await failureWith(() => ({ body: { data: 'x'.repeat(5_000) } }), fund, {
      maxAnswerBytes: 1_000,
    });
    expect(failure).toMatchObject({ kind: 'unknown_outcome' });
    expect(failure.message).toContain('larger than 1000 bytes');
  });

  test('a call that is aborted before it is sent was not sent', async () => {
    const provider = await aLocalProvider(() => undefined);
    const client = aClient(provider);
    const failure = await failureOf(client.currencies.pairs({ signal: AbortSignal.abort() }));
    expect(failure.kind).toBe('not_sent');
    expect(provider.apiRequests()).toEqual([]);
  });

  test('a call that is aborted after it was sent has an unknown outcome', async () => {
    const giveUp = new AbortController();
    const failure = await failureWith(
      () => {
        giveUp.abort();
        return undefined;
      },
      (client) => client.simplePayments.fund({ simplePaymentId: 'p-1' }, { signal: giveUp.signal }),
    );
    expect(failure).toMatchObject({ kind: 'unknown_outcome' });
  });
});

describe('hooks', () => {
  test('beforeSend and onAnswer are called for each request, but not for the token request', async () => {
    const provider = await aLocalProvider(({ path, headers }) => {
      if (path === AUTHENTICATE) return undefined;
      return headers.authorization?.startsWith('token-1') ? { status: 401 } : { body: [] };
    });
    const calls: string[] = [];
    await aClient(provider).currencies.pairs({
      beforeSend: () => Promise.resolve(void calls.push('sent')),
      onAnswer: ({ httpStatus }) => calls.push(`answered ${httpStatus}`),
    });
    expect(calls).toEqual(['sent', 'answered 401', 'sent', 'answered 200']);
  });

  test('a request whose beforeSend fails is not sent', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: [] }));
    const beforeSend = (): Promise<void> => Promise.reject(new Error('the store is unreachable'));
    const failure = await failureOf(aClient(provider).currencies.pairs({ beforeSend }));
    expect(failure.kind).toBe('not_sent');
    expect(provider.apiRequests()).toEqual([]);
  });

  test('an error in onAnswer does not lose the answer', async () => {
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { body: ['USDSGD'] }));
    const onAnswer = (): void => {
      throw new Error('no room');
    };
    await expect(aClient(provider).currencies.pairs({ onAnswer })).resolves.toEqual(['USDSGD']);
  });
});

describe('Retry-After', () => {
  const nowMs = Date.parse('2026-03-02T08:00:00Z');
  test.each([
    ['7', 7_000],
    ['0', 0],
    ['86400', 300_000],
    ['Mon, 02 Mar 2026 08:00:30 GMT', 30_000],
    ['Mon, 02 Mar 2026 07:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    [undefined, null],
  ])('%s', (header, expected) => {
    expect(retryAfterMs(header, nowMs)).toBe(expected);
  });

  test('a 429 without Retry-After requests a pause without a duration, and the call fails with a delay of one second', async () => {
    const pausesMs: (number | null)[] = [];
    const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : { status: 429 }));
    const client = aClient(provider, { rateLimiter: aNotingRateLimiter(pausesMs) });
    expect(await failureOf(client.currencies.pairs())).toMatchObject({ kind: 'rate_limited', retryAfterMs: 1_000 });
    expect(pausesMs).toEqual([null]);
    expect(provider.apiRequests()).toHaveLength(1);
  });
});
