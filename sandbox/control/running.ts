import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { meanings } from '../core/magic-values.ts';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { dayMs, whole } from './control-numbers.ts';
import { addControl } from './control-route.ts';
import { addFaultControls } from './fault-controls.ts';
import { addWebhookControls } from './webhook-controls.ts';

/** Later times have no ISO 8601 form of four digits for the year. */
const LATEST_MS = Date.UTC(9999, 0, 1);

const clockBody = z.object({ advanceMs: whole(0, 3660 * dayMs) });

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
    kept: false,
    summary: 'Puts the account of the key, or without a key every account, back to how it began',
    perform: ({ account, allAccounts }) => world.reset(allAccounts ? undefined : account.credentials.apiKey),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'clock',
    summary: 'Moves the clock forward; what falls due on the way happens',
    body: clockBody,
    perform: ({ body: { advanceMs } }) => {
      if (world.clock.now() + advanceMs > LATEST_MS)
        throw invalidField('advanceMs', 'must not lead beyond the year 9998');
      return { now: new Date(world.clock.advance(advanceMs)).toISOString() };
    },
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
