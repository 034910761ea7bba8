import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { writeAsRead } from '../core/json.ts';
import { invalidField } from '../core/refusal.ts';
import { webhookHeaders } from '../webhooks/webhook-headers.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';

const addressBody = z.object({ url: z.url().nullable(), headers: webhookHeaders.optional() });
const forgedBody = z.strictObject({
  body: z.unknown().describe('Any JSON; it is sent unchanged'),
  withHeaders: z.boolean().optional().describe('Whether to send the configured headers; default: false'),
});

/** The control calls for notifications. */
export function addWebhookControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'webhooks',
    summary: 'Sets the address of notifications; null sends none',
    body: addressBody,
    perform: ({ account, body: { url, headers } }) => {
      account.webhooks.setAddress(url === null ? null : { url, headers: headers ?? {} });
      return { url };
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'webhooks',
    summary: 'The address of notifications, and the latest of them, oldest first',
    perform: ({ account }) => ({ url: account.webhooks.url, deliveries: account.webhooks.recent() }),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'webhooks/forge',
    isJournaled: false,
    summary: 'Sends a forged notification once; returns the status of its answer, null without an answer',
    body: forgedBody,
    perform: async ({ account, body: { body, withHeaders } }) => {
      if (account.webhooks.url === null) throw invalidField('webhooks', 'no address is set; set it with POST webhooks');
      return { status: await account.webhooks.forge(writeAsRead(body), withHeaders ?? false) };
    },
  });
}
