import { request } from 'node:http';
import { expect, test } from 'vitest';
import { aSandbox, type Answer, asText, Caller, type Loose } from './a-sandbox.ts';
import { withFaults } from './with-faults.ts';

const fund = 'simple-payment-fund';

const statusOf = async (caller: Caller, payment: Loose): Promise<unknown> => (await caller.read(payment))['status'];

const aConversionQuote = async (caller: Caller): Promise<unknown> => {
  const order = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: 100 };
  return (await caller.post('/conversions/v1/quote', order)).body['data']!['quoteId'];
};

const aConversion = async (caller: Caller, referenceId: string): Promise<Answer> =>
  caller.post('/conversions/v1/create', { quoteId: await aConversionQuote(caller), referenceId });

/** Funds a payment and returns the part of the answer that arrives; throws when the answer is complete. */
function cutAnswer(caller: Caller, payment: Loose): Promise<{ announced: string | undefined; half: string }> {
  const headers = { 'x-api-key': caller.apiKey, authorization: caller.token, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(`${caller.sandbox.url}/simple-payments/v1/fund`, { method: 'POST', headers }, (response) => {
      let half = '';
      response.on('data', (part: Buffer) => (half += part.toString()));
      response.on('error', () => resolve({ announced: response.headers['content-length'], half }));
      response.on('end', () => reject(new Error('the answer came as a whole')));
    });
    sent.on('error', reject);
    sent.end(JSON.stringify({ simplePaymentId: payment['simplePaymentId'] }));
  });
}

test.each([
  [{ kind: 'error_before' }, 503, null, 'service_unavailable'],
  [{ kind: 'error_before', status: 500 }, 500, null, 'internal_server_error'],
  [{ kind: 'error_before', status: 403, retryAfterSeconds: 2 }, 403, '2', 'forbidden'],
  [{ kind: 'error_after', status: 409 }, 409, null, 'conflict'],
  [{ kind: 'error_after', retryAfterSeconds: 0 }, 502, '0', 'bad_gateway'],
  [{ kind: 'rate_limited' }, 429, '1', 'rate_limited'],
  [{ kind: 'rate_limited', retryAfterSeconds: 30 }, 429, '30', 'rate_limited'],
  [{ kind: 'rate_limited', retryAfterSeconds: null }, 429, null, 'rate_limited'],
])('the fault %j answers %d with Retry-After %s', async (order, status, retryAfter, code) => {
  const caller = await withFaults({ operation: fund, ...order });
  const payment = await caller.aPayment();
  const answer = await caller.fund(payment);
  expect([answer.status, answer.headers.get('retry-after'), answer.body['code']]).toEqual([status, retryAfter, code]);
  expect(await statusOf(caller, payment)).toBe(order.kind === 'error_after' ? 'processing' : 'awaiting_funds');
});

test.each([
  ['error_before', 503],
  ['rate_limited', 429],
])('%s can come in a burst, with %d so often as times says', async (kind, status) => {
  const caller = await withFaults({ operation: 'currency-pairs', kind, times: 3, retryAfterSeconds: null });
  const seen: unknown[] = [];
  for (let request = 0; request < 4; request++) seen.push((await caller.get('/currencies/v1/pairs')).status);
  expect(seen).toEqual([status, status, status, 200]);
});

test.each([
  [{ kind: 'error_html_before' }, 502, 'awaiting_funds'],
  [{ kind: 'error_html_before', status: 503, retryAfterSeconds: 5 }, 503, 'awaiting_funds'],
  [{ kind: 'error_html_after' }, 504, 'processing'],
  [{ kind: 'not_json_after' }, 200, 'processing'],
])('the fault %j answers a page of HTML with status %d and leaves the payment %s', async (order, status, left) => {
  const caller = await withFaults({ operation: fund, ...order });
  const payment = await caller.aPayment();
  const { status: seen, headers, text } = await caller.fund(payment);
  expect([seen, headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
  expect(headers.get('retry-after')).toBe('retryAfterSeconds' in order ? '5' : null);
  expect(text).toContain('<html>');
  expect(await statusOf(caller, payment)).toBe(left);
});

test('empty_after answers 200 without a body after the effect', async () => {
  const caller = await withFaults({ operation: fund, kind: 'empty_after' });
  const payment = await caller.aPayment();
  expect(await caller.fund(payment)).toMatchObject({ status: 200, text: '' });
  expect(await statusOf(caller, payment)).toBe('processing');
});

test('cut_after declares the full length, ends the connection half way, and the payment is funded', async () => {
  const caller = await withFaults({ operation: fund, kind: 'cut_after' });
  const payment = await caller.aPayment();
  const { announced, half } = await cutAnswer(caller, payment);
  const whole = (await caller.get(`/simple-payments/v1/item/${asText(payment['simplePaymentId'])}`)).text;
  expect(announced).toBe(String(whole.length));
  expect(half).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  expect(await statusOf(caller, payment)).toBe('processing');
});

test('token_dies revokes the token of the request only', async () => {
  const caller = await withFaults({ operation: '*', kind: 'token_dies' });
  const other = await new Caller(caller.sandbox, caller.apiKey).signIn();
  const refused = await caller.get('/balances/v1/find');
  expect([refused.status, refused.body['message']]).toEqual([401, 'authentication_failed']);
  expect((await caller.get('/balances/v1/find')).status).toBe(401);
  expect((await other.get('/balances/v1/find')).status).toBe(200);
  await caller.signIn();
  expect((await caller.get('/balances/v1/find')).status).toBe(200);
});

test('quote_dies makes the quote of a payment or conversion expire, and a new quote is valid', async () => {
  const caller = await withFaults(
    { operation: 'simple-payment-create', kind: 'quote_dies' },
    { operation: 'conversion-create', kind: 'quote_dies' },
  );
  const { quoteId, beneficiaryId } = await caller.aQuote();
  const refused = [await caller.create({ quoteId }), await aConversion(caller, 'c-1')];
  expect(refused.map(({ status, body }) => [status, body['code']])).toEqual(Array(2).fill([400, 'quote_expired']));
  expect((await caller.create({ quoteId })).body['code']).toBe('quote_expired');
  expect(await caller.aPayment({ beneficiaryId })).toMatchObject({ status: 'awaiting_funds' });
  expect((await aConversion(caller, 'c-1')).status).toBe(200);
});

test('find_lags hides entries of the last delayMs, find_capped all but the newest', async () => {
  const finds = ['simple-payment-find', 'conversion-find'];
  const caller = await (await aSandbox()).signIn();
  const found = async (): Promise<unknown[][]> => {
    const [payments, conversions] = [
      await caller.post('/simple-payments/v1/find'),
      await caller.post('/conversions/v1/find'),
    ];
    return [payments, conversions].map(({ body }) =>
      (body['data'] as unknown as Loose[]).map((each) => each['referenceId']),
    );
  };
  for (const referenceId of ['old', 'new']) {
    await caller.aPayment({}, { referenceId });
    await aConversion(caller, referenceId);
    caller.sandbox.advance(referenceId === 'old' ? 1 : 4999);
  }
  await caller.post('/__sandbox/faults', [
    ...finds.map((operation) => ({ operation, kind: 'find_lags', delayMs: 5000 })),
    ...finds.map((operation) => ({ operation, kind: 'find_capped', nth: 2 })),
    ...finds.map((operation) => ({ operation, kind: 'find_capped', maxResults: 0, nth: 3 })),
  ]);
  expect(await found()).toEqual([['old'], ['old']]);
  expect(await found()).toEqual([['new'], ['new']]);
  expect(await found()).toEqual([[], []]);
  expect(await found()).toEqual(Array(2).fill(['new', 'old']));
});
