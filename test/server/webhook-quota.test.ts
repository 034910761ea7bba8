import { describe, expect, it } from 'vitest';
import { WebhookQuota, webhooksPerMinute } from '../../server/webhooks/webhook-quota.ts';
import { anApp, aWebhookAccount, WEBHOOK_TOKEN } from './server-harness.ts';

describe('webhooks', () => {
  it('of an account are limited per minute, separately from other accounts', () => {
    let nowMs = 0;
    const webhooks = new WebhookQuota(() => nowMs);
    const quota = { take: (account: string) => webhooks.take(account, 2) };
    expect([quota.take('a'), quota.take('a')]).toEqual([null, null]);
    nowMs = 15_000;
    expect(quota.take('a')).toEqual({ retryAfterSeconds: 45, isFirst: true });
    expect(quota.take('a')).toEqual({ retryAfterSeconds: 45, isFirst: false });
    expect(quota.take('b')).toBeNull();
    nowMs = 60_000;
    expect(quota.take('a')).toBeNull();
  });

  it('of an account have room for the events of its own requests', () => {
    expect(webhooksPerMinute(5)).toBe(3_000);
    expect(webhooksPerMinute(100)).toBe(24_000);
    expect(webhooksPerMinute(0)).toBeGreaterThan(24_000);
  });

  it('beyond the limit are refused before they are read, not stored, and may be sent later', async () => {
    const { app, application, logged } = anApp({ webhookAccounts: [aWebhookAccount({ perMinute: 1 })] });
    const send = () =>
      app.inject({ method: 'POST', url: `/webhooks/${WEBHOOK_TOKEN}`, payload: '{"resource":"payment"}' });
    expect((await send()).statusCode).toBe(200);
    const refused = [await send(), await send()];
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429]);
    expect(refused[0]?.headers['retry-after']).toMatch(/^\d+$/);
    expect(application.webhooks).toHaveLength(1);
    // Once a minute is enough to know of it.
    expect(logged().match(/too many webhooks/g)).toHaveLength(1);
  });
});
