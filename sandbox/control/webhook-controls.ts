import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { writeAsRead } from '../core/json.ts';
import { invalidField } from '../core/refusal.ts';
import { webhookHeaders } from '../webhooks/webhook-headers.ts';
import type { World } from '../core/world.ts';
import { addControl } from './control-route.ts';

const addressBody = z.object({ url: z.url().nullable(), headers: webhookHeaders.optional() });
const forgedBody = z.strictObject({
  body: z.unknown().describe('Any JSON; it is sent as it is'),
  withHeaders: z.boolean().optional().describe('Whether the configured headers go with it; absent: no'),
});

/** The control calls that steer notifications. */
export function addWebhookControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'webhooks',
    summary: 'Sets where notifications go; null sends none',
    body: addressBody,
    perform: ({ account, body: { url, headers } }) => {
      account.webhooks.setAddress(url === null ? null : { url, headers: headers ?? {} });
      return { url };
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'webhooks',
    summary: 'Where notifications go, and the latest of them, oldest first',
    perform: ({ account }) => ({ url: account.webhooks.url, deliveries: account.webhooks.recent() }),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'webhooks/forge',
    kept: false,
    summary: 'Sends a forged notification once; answers the status that it got, null when nobody answered',
    body: forgedBody,
    perform: async ({ account, body: { body, withHeaders } }) => {
      if (account.webhooks.url === null) throw invalidField('webhooks', 'no address is set; set it with POST webhooks');
      return { status: await account.webhooks.forge(writeAsRead(body), withHeaders ?? false) };
    },
  });
}
