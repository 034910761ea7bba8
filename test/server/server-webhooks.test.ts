import { describe, expect, it } from 'vitest';
import { anApp, WEBHOOK_TOKEN } from './server-harness.ts';

const BODY = '{"resource":"simple_payment","resourceId":"sp-1","status":"completed","reason":null}';
const url = `/webhooks/${WEBHOOK_TOKEN}`;

describe('the webhook receiver', () => {
  it('keeps an event as it came, under the account of the address', async () => {
    const { app, engine } = anApp();
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url, headers, payload: BODY });
    expect(response.statusCode).toBe(200);
    expect(engine.webhooks).toEqual([
      { account: 'default', rawBody: BODY, kind: 'simple_payment', resourceId: 'sp-1' },
    ]);
    const other = await app.inject({ method: 'POST', url: '/webhooks/another-webhook-token', headers, payload: BODY });
    expect(other.statusCode).toBe(200);
    expect(engine.webhooks[1]?.account).toBe('subsidiary');
  });

  it('answers a repeated event with 200, since a sender would repeat it for ever otherwise', async () => {
    const { app } = anApp();
    await app.inject({ method: 'POST', url, payload: BODY });
    const again = await app.inject({ method: 'POST', url, payload: BODY });
    expect(again.statusCode).toBe(200);
    expect(again.json()).toEqual({ received: 'duplicate' });
  });

  it.each([undefined, 'text/plain', 'application/x-www-form-urlencoded', 'nonsense;;', 'multipart/form-data'])(
    'takes the content type %s',
    async (contentType) => {
      const { app, engine } = anApp();
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const response = await app.inject({ method: 'POST', url, headers, payload: Buffer.from(BODY) });
      expect(response.statusCode).toBe(200);
      expect(engine.webhooks[0]?.rawBody).toBe(BODY);
    },
  );

  it('files a refund by the refund, though it names a payment as its resource', async () => {
    const { app, engine } = anApp();
    const payload = '{"resource":"simple_payment","refundId":"re-1","status":"completed"}';
    await app.inject({ method: 'POST', url, payload });
    expect(engine.webhooks[0]).toMatchObject({ kind: 'refund', resourceId: 're-1' });
  });

  it('keeps an event of a kind that nobody knows', async () => {
    const { app, engine } = anApp();
    const response = await app.inject({ method: 'POST', url, payload: '{"news":1}' });
    expect(response.statusCode).toBe(200);
    expect(engine.webhooks[0]).toMatchObject({ kind: 'unknown', resourceId: null });
  });

  it('takes no id that could be none', async () => {
    const { app, engine } = anApp();
    const payload = '{"resource":"conversion","resourceId":"a\\u0000b","status":"completed"}';
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(200);
    expect(engine.webhooks[0]?.resourceId).toBeNull();
  });

  it.each(['', '{"resource":', '"text"', '[1]', 'null'])('refuses %j and keeps nothing', async (payload) => {
    const { app, engine } = anApp();
    expect((await app.inject({ method: 'POST', url, payload })).statusCode).toBe(400);
    expect(engine.webhooks).toEqual([]);
  });

  it('takes 64 kB and not a byte more', async () => {
    const { app, engine } = anApp();
    const padding = 65_536 - '{"a":""}'.length;
    const fitting = await app.inject({ method: 'POST', url, payload: `{"a":"${'x'.repeat(padding)}"}` });
    expect(fitting.statusCode).toBe(200);
    const larger = await app.inject({ method: 'POST', url, payload: `{"a":"${'x'.repeat(padding + 1)}"}` });
    expect(larger.statusCode).toBe(413);
    expect(engine.webhooks).toHaveLength(1);
  });

  it('answers an unknown token as any address that does not exist', async () => {
    const { app, engine } = anApp();
    const unknown = await app.inject({ method: 'POST', url: '/webhooks/guess', payload: BODY });
    const elsewhere = await app.inject({ method: 'POST', url: '/elsewhere', payload: BODY });
    expect(unknown.statusCode).toBe(404);
    expect(unknown.json()).toEqual(elsewhere.json());
    expect(engine.webhooks).toEqual([]);
  });

  it('asks the sender to try again whatever goes wrong behind it', async () => {
    const { app, engine } = anApp();
    engine.failures.set('receiveWebhook', new Error('anything at all'));
    const response = await app.inject({ method: 'POST', url, payload: BODY });
    expect(response.statusCode).toBe(503);
    expect(response.body).not.toContain('anything at all');
  });
});
