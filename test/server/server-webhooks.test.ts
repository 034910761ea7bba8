import { describe, expect, it } from 'vitest';
import { anApp, aWebhookAccount, WEBHOOK_TOKEN } from './server-harness.ts';

const BODY = '{"resource":"simple_payment","resourceId":"sp-1","status":"completed","reason":null}';
const url = `/webhooks/${WEBHOOK_TOKEN}`;

describe('the webhook receiver', () => {
  it('stores an event as it came, for the account of the address', async () => {
    const { app, application } = anApp();
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url, headers, payload: BODY });
    expect(response.statusCode).toBe(200);
    expect(application.webhooks).toEqual([
      { account: 'default', rawBody: BODY, kind: 'simple_payment', resourceId: 'sp-1', saysEnded: true },
    ]);
    const other = await app.inject({ method: 'POST', url: '/webhooks/another-webhook-token', headers, payload: BODY });
    expect(other.statusCode).toBe(200);
    expect(application.webhooks[1]?.account).toBe('subsidiary');
  });

  it('answers a repeated event with 200, so that the sender stops repeating it', async () => {
    const { app } = anApp();
    await app.inject({ method: 'POST', url, payload: BODY });
    const again = await app.inject({ method: 'POST', url, payload: BODY });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ received: 'duplicate' });
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense;;', 'multipart/form-data'])(
    'takes the content type %s',
    async (contentType) => {
      const { app, application } = anApp();
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const response = await app.inject({ method: 'POST', url, headers, payload: Buffer.from(BODY) });
      expect(response.statusCode).toBe(200);
      expect(application.webhooks[0]?.rawBody).toBe(BODY);
    },
  );

  it.each<[string, string, string | null, boolean, object]>([
    ['user', 'user', 'u-1', true, { resource: 'user', resourceId: 'u-1', status: 'approved' }],
    ['user of no resource', 'user', 'u-1', true, { resourceId: 'u-1', status: 'approved' }],
    [
      'user who is prepared by payrun',
      'user',
      'u-1',
      false,
      { resource: 'user', resourceId: 'u-1', status: 'pending_docs' },
    ],
    ['funding', 'funding', 'f-1', false, { resource: 'funding', fundingId: 'f-1', status: 'completed' }],
    ['conversion', 'conversion', 'c-1', false, { resource: 'conversion', resourceId: 'c-1', status: 'completed' }],
    ['payment', 'simple_payment', 'p-1', true, { resource: 'simple_payment', resourceId: 'p-1', status: 'failed' }],
    [
      'payment on its way',
      'simple_payment',
      'p-1',
      false,
      { resource: 'simple_payment', resourceId: 'p-1', status: 'processing' },
    ],
    [
      'payment on its way by a newer status',
      'simple_payment',
      'p-1',
      false,
      { resource: 'simple_payment', resourceId: 'p-1', status: 'in_transit' },
    ],
    [
      'payment in a state that nobody knows',
      'simple_payment',
      'p-1',
      true,
      { resource: 'simple_payment', resourceId: 'p-1', status: 'odd' },
    ],
    [
      'virtual account request',
      'virtual_account_request',
      'v-1',
      false,
      { action: 'request', status: 'approved', requestId: 'v-1' },
    ],
    ['deposit', 'deposit', '77', false, { action: 'deposit', status: 'completed', transactionId: 77 }],
    ['refund', 'refund', 're-1', false, { refundId: 're-1', resource: 'simple_payment', status: 'completed' }],
    [
      'refund that names its payment',
      'refund',
      're-1',
      false,
      { refundId: 're-1', resource: 'simple_payment', resourceId: 'p-1', status: 'completed' },
    ],
    ['kind that nobody knows', 'unknown', null, false, { news: 1 }],
  ])('files a %s as %s %s, claiming an end: %s', async (_, kind, resourceId, saysEnded, event) => {
    const { app, application } = anApp();
    const rawBody = JSON.stringify(event);
    expect((await app.inject({ method: 'POST', url, payload: rawBody })).statusCode).toBe(200);
    expect(application.webhooks).toEqual([{ account: 'default', rawBody, kind, resourceId, saysEnded }]);
  });

  it('ignores an impossible id', async () => {
    const { app, application } = anApp();
    const payload = '{"resource":"conversion","resourceId":"a\\u0000b","status":"completed"}';
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(200);
    expect(application.webhooks[0]?.resourceId).toBeNull();
  });

  it.each(['', '{"resource":', '"text"', '[1]', 'null'])('refuses %j and stores nothing', async (payload) => {
    const { app, application } = anApp();
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400);
    expect(application.webhooks).toEqual([]);
  });

  it('accepts 64 kB and not a byte more', async () => {
    const { app, application } = anApp();
    const padding = 65_536 - '{"a":""}'.length;
    const fitting = await app.inject({ method: 'POST', url, payload: `{"a":"${'x'.repeat(padding)}"}` });
    expect(fitting.statusCode).toBe(200);
    const larger = await app.inject({ method: 'POST', url, payload: `{"a":"${'x'.repeat(padding + 1)}"}` });
    expect(larger.statusCode).toBe(413);
    expect(application.webhooks).toHaveLength(1);
  });

  it('answers an unknown token like an address that does not exist', async () => {
    const { app, application } = anApp();
    const unknown = await app.inject({ method: 'POST', url: '/webhooks/guess', payload: BODY });
    const elsewhere = await app.inject({ method: 'POST', url: '/elsewhere', payload: BODY });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toEqual(elsewhere.json());
    expect(application.webhooks).toEqual([]);
  });

  it('asks the sender to try again when the event cannot be stored', async () => {
    const { app, application } = anApp();
    application.failures.set('receiveWebhook', new Error('anything at all'));
    const response = await app.inject({ method: 'POST', url, payload: BODY });
    expect(response.statusCode).toBe(503);
    expect(response.body).not.toContain('anything at all');
  });
});

describe('headers that the account holder configured', () => {
  const webhookAccounts = [
    aWebhookAccount({ headers: { 'x-hook-secret': 'the first value', 'x-hook-version': '2' } }),
    aWebhookAccount({ name: 'subsidiary', tokens: ['another-webhook-token'] }),
  ];

  it('are compared without regard to case, and the event is accepted', async () => {
    const { app, application } = anApp({ webhookAccounts });
    const headers = { 'X-Hook-Secret': 'the first value', 'X-HOOK-VERSION': '2', 'x-more': 'of no interest' };
    expect((await app.inject({ method: 'POST', url, headers, payload: BODY })).statusCode).toBe(200);
    expect(application.webhooks).toHaveLength(1);
  });

  it.each<[string, Record<string, string>, object]>([
    ['all missing', {}, { missing: ['x-hook-secret', 'x-hook-version'], different: [] }],
    ['one missing', { 'x-hook-secret': 'the first value' }, { missing: ['x-hook-version'], different: [] }],
    [
      'one different',
      { 'x-hook-secret': 'another value', 'x-hook-version': '2' },
      { missing: [], different: ['x-hook-secret'] },
    ],
    [
      'one the beginning of the right value',
      { 'x-hook-secret': 'the first', 'x-hook-version': '2' },
      { missing: [], different: ['x-hook-secret'] },
    ],
    ['one empty', { 'x-hook-secret': '', 'x-hook-version': '2' }, { missing: [], different: ['x-hook-secret'] }],
  ])('refuse an event with %s, keep nothing and log names alone', async (_, headers, faults) => {
    const { app, application, logged } = anApp({ webhookAccounts });
    await app.inject({ method: 'POST', url, headers, payload: BODY });
    const response = await app.inject({ method: 'POST', url, headers, payload: BODY });
    expect(response.statusCode).toBe(401);
    expect(application.webhooks).toEqual([]);
    const lines = logged()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const refusals = lines.filter(({ refused }) => refused !== undefined);
    expect(refusals).toMatchObject([
      { account: 'default', refused: 1, ...faults },
      { account: 'default', refused: 2, ...faults },
    ]);
    for (const value of ['the first', 'another value', 'sp-1']) expect(logged() + response.body).not.toContain(value);
  });

  it('are those of its own account', async () => {
    const { app, application } = anApp({ webhookAccounts });
    const event = { method: 'POST', url: '/webhooks/another-webhook-token', payload: BODY } as const;
    expect((await app.inject(event)).statusCode).toBe(200);
    expect(application.webhooks).toMatchObject([{ account: 'subsidiary' }]);
  });

  it('do not reveal whether an address is known', async () => {
    const { app } = anApp({ webhookAccounts });
    expect((await app.inject({ method: 'POST', url: '/webhooks/guess', payload: BODY })).statusCode).toBe(404);
  });

  it('are not required of other routes', async () => {
    const { app } = anApp({ webhookAccounts });
    expect((await app.inject({ url: '/health' })).statusCode).toBe(200);
  });
});

describe('the token in the address', () => {
  it('may be one of two, while one replaces the other', async () => {
    const { app, application } = anApp({
      webhookAccounts: [aWebhookAccount({ tokens: [WEBHOOK_TOKEN, 'the-former-token-of-webhooks'] })],
    });
    for (const token of [WEBHOOK_TOKEN, 'the-former-token-of-webhooks']) {
      const response = await app.inject({ method: 'POST', url: `/webhooks/${token}`, payload: `{"from":"${token}"}` });
      expect(response.statusCode).toBe(200);
    }
    expect(application.webhooks).toHaveLength(2);
  });
});

it('what is over the quota of the day is refused, and to be sent again later', async () => {
  const { app, application } = anApp();
  application.webhooksAreOverQuota = true;
  const response = await app.inject({ method: 'POST', url, payload: '{"resource":"payment"}' });
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '3600']);
});
