import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { operationIds } from '../areas/operations.ts';
import { type FaultKind, faultKind, faultKinds, type FaultSettings, goesWith } from '../faults/fault-kinds.ts';
import type { FaultOrder } from '../faults/faults.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { dayMs, fraction, whole } from './control-numbers.ts';
import { addControl } from './control-route.ts';

const most = 1_000_000_000;

const settings = {
  delayMs: whole(0, dayMs).optional(),
  status: whole(400, 599).optional(),
  retryAfterSeconds: whole(0, 86_400).nullish(),
  most: whole(0, most).optional(),
} satisfies Record<keyof FaultSettings, z.ZodType>;

const faultOrder = z.strictObject({
  operation: z.string(),
  kind: z.enum(faultKinds.map(({ kind }) => kind) as [FaultKind, ...FaultKind[]]),
  nth: whole(1, most).optional(),
  every: whole(1, most).optional(),
  probability: fraction.optional(),
  times: whole(1, most).optional(),
  ...settings,
});

/** The control calls that order things to go wrong. */
export function addFaultControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'faults',
    kept: false,
    summary: 'Adds faults; at most one strikes a request',
    body: z.array(faultOrder),
    perform: ({ account, body: orders }) => {
      for (const [place, order] of orders.entries()) checkFault(place, order, world.options.openOperations);
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
    kept: false,
    summary: 'Removes all faults',
    perform: ({ account }) => account.faults.clear(),
  });
}

/** @throws Refusal that names the order by its place in the list, the field, and the fix */
function checkFault(place: number, order: FaultOrder, openOperations: readonly string[]): void {
  const { operation, kind } = order;
  const { strikes, settings: taken = {} } = faultKind(kind);
  if ((strikes === 'webhook') !== (operation === 'webhook')) {
    throw invalidField(`${place}.kind`, 'webhook_… kinds go with operation "webhook", the others with a request');
  }
  if (strikes === 'request' && operation !== '*' && !operationIds.has(operation)) {
    const fix = `"${operation}" is no checklist id of the sandbox; use one, "*" or "webhook"`;
    throw invalidField(`${place}.operation`, fix);
  }
  if (operation !== '*' && !goesWith(kind, operation, openOperations)) {
    const fitting = [...operationIds].filter((id) => goesWith(kind, id, openOperations));
    const fix = fitting.length <= 5 ? `; use ${fitting.join(', ')}` : '; use another kind or operation';
    throw invalidField(`${place}.kind`, `${kind} does not go with ${operation}${fix}`);
  }
  for (const setting of Object.keys(settings) as (keyof FaultSettings)[]) {
    if (order[setting] !== undefined && !(setting in taken)) {
      const own = Object.keys(taken).join(', ') || 'none';
      throw invalidField(`${place}.${setting}`, `${kind} does not take it; of its own it takes ${own}`);
    }
  }
}
