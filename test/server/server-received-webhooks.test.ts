import { expect, it } from 'vitest';
import type { WebhookRecord } from '../../store/webhooks/received-webhooks.ts';
import { anApp } from './server-harness.ts';

const WEBHOOK = '7';

function received(kind: string): WebhookRecord {
  return {
    ...{ webhookId: WEBHOOK, account: 'default', kind, resourceId: 'r-1', times: 1 },
    ...{ receivedAt: new Date(0), lastReceivedAt: new Date(0), subject: null, isRead: true },
    body: '{"number":"DE89370400440532013000"}',
  };
}

/** Who may see bank accounts, and who may see what applicants gave: as docs/security.md has it. */
it.each([
  ['simple_payment', { maker: true, checker: true, viewer: true, onboarder: false, administrator: false }],
  ['user', { maker: false, checker: false, viewer: true, onboarder: true, administrator: false }],
  ['unknown', { maker: false, checker: false, viewer: true, onboarder: true, administrator: false }],
])('the body of a webhook of kind %s is shown to these roles alone', async (kind, expected) => {
  const { as, application } = anApp();
  application.findWebhook = () => Promise.resolve(received(kind));
  const shown: Record<string, boolean> = {};
  for (const role of Object.keys(expected) as (keyof typeof expected)[]) {
    const response = await as(role, { url: `/api/v1/webhooks/${WEBHOOK}` });
    expect(response.statusCode).toBe(200);
    shown[role] = response.body.includes('DE89370400440532013000');
  }
  expect(shown).toEqual(expected);
});
