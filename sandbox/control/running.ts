import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { operationIds } from '../areas/operations.ts';
import { type FaultOrder, requestFaultKinds, webhookFaultKinds } from '../faults.ts';
import { exactNumber } from '../json.ts';
import { invalidField } from '../refusal.ts';
import { meanings } from '../meanings.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';

const whole = (least: number, most: number): z.ZodType<number> =>
  exactNumber.transform((number) => number.toNumber()).pipe(z.number().int().min(least).max(most));

const fraction = exactNumber.transform((number) => number.toNumber()).pipe(z.number().min(0).max(1));

const dayMs = 86_400_000;

const faultOrder = z.object({
  operation: z.string(),
  kind: z.enum([...requestFaultKinds, ...webhookFaultKinds]),
  nth: whole(1, 1_000_000_000).optional(),
  probability: fraction.optional(),
  times: whole(1, 1_000_000_000).optional(),
  delayMs: whole(0, dayMs).optional(),
});

const clockBody = z.object({ advanceMs: whole(0, 3660 * dayMs) });
const webhooksBody = z.object({ url: z.url().nullable(), headers: z.record(z.string(), z.string()).optional() });

/** The control calls that steer time, faults and notifications. */
export function addRunningControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'health',
    summary: 'Whether the sandbox runs, and what its clock shows',
    perform: () => ({ status: 'ok', now: new Date(world.clock.now()).toISOString() }),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'reset',
    summary: 'Puts the account of the key, or without a key every account, back to how it began',
    perform: ({ account, allAccounts }) => world.reset(allAccounts ? undefined : account.credentials.apiKey),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'clock',
    summary: 'Moves the clock forward; what falls due on the way happens',
    body: clockBody,
    perform: ({ body }) => ({ now: new Date(world.clock.advance(body.advanceMs)).toISOString() }),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'requests',
    summary: 'The latest requests that were let in, oldest first',
    perform: ({ account }) => account.requestLines.list(),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'meanings',
    summary: 'Amounts and names that make something happen',
    perform: () => meanings,
  });
  addWebhookControls(app, world);
  addFaultControls(app, world);
}

function addWebhookControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'webhooks',
    summary: 'Sets where notifications go; null sends none',
    body: webhooksBody,
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
}

function addFaultControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'faults',
    summary: 'Adds faults; at most one strikes a request',
    body: z.array(faultOrder),
    perform: ({ account, body: orders }) => {
      for (const order of orders) checkFault(order);
      for (const order of orders) account.faults.order(order);
      return account.faults.list();
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'faults',
    summary: 'The faults that were added, and how often each struck',
    perform: ({ account }) => account.faults.list(),
  });
  addControl(app, world, {
    method: 'DELETE',
    path: 'faults',
    summary: 'Removes all faults',
    perform: ({ account }) => account.faults.clear(),
  });
}

function checkFault({ operation, kind }: FaultOrder): void {
  const forWebhooks = webhookFaultKinds.some((webhookKind) => webhookKind === kind);
  if (forWebhooks !== (operation === 'webhook')) {
    throw invalidField('kind', 'webhook_… kinds go with operation "webhook", the others with a request');
  }
  if (!forWebhooks && operation !== '*' && !operationIds.has(operation)) {
    throw invalidField('operation', `"${operation}" is no checklist id of the sandbox; use one, "*" or "webhook"`);
  }
}
