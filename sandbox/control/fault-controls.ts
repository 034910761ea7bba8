import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { operationIds } from '../endpoints/operations.ts';
import { type FaultKind, faultKind, faultKinds, type FaultSettings, appliesTo } from '../faults/fault-kinds.ts';
import type { FaultSpec } from '../faults/faults.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { dayMs, fraction, wholeNumber } from './control-fields.ts';
import { addControl } from './control-route.ts';

const MAX_COUNT = 1_000_000_000;

const settings = {
  delayMs: wholeNumber(0, dayMs).optional(),
  status: wholeNumber(400, 599).optional(),
  retryAfterSeconds: wholeNumber(0, 86_400).nullish(),
  maxResults: wholeNumber(0, MAX_COUNT).optional(),
} satisfies Record<keyof FaultSettings, z.ZodType>;

const faultSpec = z.strictObject({
  operation: z.string(),
  kind: z.enum(faultKinds.map(({ kind }) => kind) as [FaultKind, ...FaultKind[]]),
  nth: wholeNumber(1, MAX_COUNT).optional(),
  every: wholeNumber(1, MAX_COUNT).optional(),
  probability: fraction.optional(),
  times: wholeNumber(1, MAX_COUNT).optional(),
  ...settings,
});

/** The control calls that add, list and remove faults. */
export function addFaultControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'POST',
    path: 'faults',
    isJournaled: false,
    summary: 'Adds faults; at most one is injected into a request',
    body: z.array(faultSpec),
    perform: ({ account, body: specs }) => {
      for (const [index, spec] of specs.entries()) checkFault(index, spec, world.options.openOperations);
      for (const spec of specs) account.faults.add(spec);
      return account.faults.list();
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'faults',
    summary: 'The faults, and how often each was injected',
    perform: ({ account }) => account.faults.list(),
  });
  addControl(app, world, {
    method: 'DELETE',
    path: 'faults',
    isJournaled: false,
    summary: 'Removes all faults',
    perform: ({ account }) => account.faults.clear(),
  });
}

/** @throws Refusal that names the fault by its index in the list, the field, and the fix */
function checkFault(index: number, spec: FaultSpec, openOperations: readonly string[]): void {
  const { operation, kind } = spec;
  const { target, settings: allowed = {} } = faultKind(kind);
  if ((target === 'webhook') !== (operation === 'webhook')) {
    throw invalidField(`${index}.kind`, 'webhook_… kinds apply to operation "webhook", the others to requests');
  }
  if (target === 'request' && operation !== '*' && !operationIds.has(operation)) {
    const fix = `"${operation}" is not a checklist id of the sandbox; use one, "*" or "webhook"`;
    throw invalidField(`${index}.operation`, fix);
  }
  if (operation !== '*' && !appliesTo(kind, operation, openOperations)) {
    const matching = [...operationIds].filter((id) => appliesTo(kind, id, openOperations));
    const fix = matching.length <= 5 ? `; use ${matching.join(', ')}` : '; use another kind or operation';
    throw invalidField(`${index}.kind`, `${kind} does not apply to ${operation}${fix}`);
  }
  for (const setting of Object.keys(settings) as (keyof FaultSettings)[]) {
    if (spec[setting] !== undefined && !(setting in allowed)) {
      const own = Object.keys(allowed).join(', ') || 'none';
      throw invalidField(`${index}.${setting}`, `${kind} does not have this setting; its settings are: ${own}`);
    }
  }
}
