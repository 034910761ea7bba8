import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { magicValues } from '../core/magic-values.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { dayMs, wholeNumber } from './control-fields.ts';
import { addControl } from './control-route.ts';

/** In ISO 8601, years after 9999 do not have four digits. */
const MAX_TIME_MS = Date.UTC(9999, 0, 1);

const clockBody = z.object({ advanceMs: wholeNumber(0, 3660 * dayMs) });

/** The control calls that report the sandbox's health, requests and magic values, reset it, and move its clock. */
export function addSimulationControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'health',
    summary: 'Whether the sandbox runs, and the time of its clock',
    perform: () => ({ status: 'ok', now: new Date(world.clock.now()).toISOString() }),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'reset',
    isJournaled: false,
    summary: 'Resets the account of the key, or without a key every account, to the initial state',
    perform: ({ account, allAccounts }) => world.reset(allAccounts ? undefined : account.credentials.apiKey),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'clock',
    summary: 'Moves the clock forward; events that become due run',
    body: clockBody,
    perform: ({ body: { advanceMs } }) => {
      if (world.clock.now() + advanceMs > MAX_TIME_MS)
        throw invalidField('advanceMs', 'must not lead beyond the year 9998');
      return { now: new Date(world.clock.advance(advanceMs)).toISOString() };
    },
  });
  addControl(app, world, {
    method: 'GET',
    path: 'requests',
    summary: 'The latest authorized requests, oldest first',
    perform: ({ account }) => account.requestLines.list(),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'magic-values',
    summary: 'Amounts and names with a special effect',
    perform: () => magicValues,
  });
}
