import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { ENGINE_TASK_QUEUE, providerTaskQueue, UPLOAD_TASK_QUEUE } from '../../domain/identifiers.ts';
import { queuesOf, readDeployment } from './deployment.ts';
import { isRefused } from './server-refusal.ts';
import { setCurrent } from './set-current.ts';

const POLL_MS = 20;
const ATTEMPTS = 20;
const REGISTERED_WITHIN_MS = 60_000;

/**
 * `made`: this start made it so. `was`: it was before. `waits`: another is current, and an operator decides. `stopped`:
 * the stop signal came first.
 */
export type Standing = { kind: 'made' | 'was' | 'stopped' } | { kind: 'waits'; currentBuildId: string };

/**
 * Says where the version of workers that have just started stands: the first one ever becomes current by itself, since
 * nothing would be done otherwise; a later one when `always` says so.
 * @throws Error when the server does not know its workers within a minute, or keeps refusing to make it current.
 */
export async function becomeCurrent(options: {
  client: Client;
  buildId: string;
  /** The provider accounts that these workers serve. */
  accounts: readonly string[];
  always: boolean;
  stopSignal?: AbortSignal;
}): Promise<Standing> {
  const { client, buildId } = options;
  // Until all its queues are known, what is routed to it could wait for a worker that the server never heard of.
  await untilRegistered(options);
  if (options.stopSignal?.aborted === true) return { kind: 'stopped' };
  for (let attempt = 1; ; attempt += 1) {
    const deployment = await readDeployment(client);
    const currentBuildId = deployment?.currentBuildId ?? null;
    if (currentBuildId === buildId) return { kind: attempt === 1 ? 'was' : 'made' };
    if (currentBuildId !== null && !options.always) return { kind: 'waits', currentBuildId };
    try {
      // By the state that this was decided on: of several workers that start at once, one makes it current.
      await setCurrent(client, buildId, deployment?.conflictToken);
      return { kind: 'made' };
    } catch (error) {
      if (!isRefused(error) || attempt === ATTEMPTS) throw error;
      await sleep(attempt * POLL_MS);
    }
  }
}

async function untilRegistered(options: {
  client: Client;
  buildId: string;
  accounts: readonly string[];
  stopSignal?: AbortSignal;
}): Promise<void> {
  const { client, buildId, accounts, stopSignal } = options;
  const expected = [
    `workflow ${ENGINE_TASK_QUEUE}`,
    `activity ${ENGINE_TASK_QUEUE}`,
    `activity ${UPLOAD_TASK_QUEUE}`,
    ...accounts.map((account) => `activity ${providerTaskQueue(account)}`),
  ];
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const known = await queuesOf(client, buildId);
    const missing = expected.filter((queue) => !known.has(queue));
    if (missing.length === 0 || stopSignal?.aborted === true) return;
    if (waitedMs >= REGISTERED_WITHIN_MS) {
      throw new Error(`Temporal does not know the workers of ${buildId} yet (${missing.join(', ')}): start again`);
    }
    await sleep(POLL_MS);
  }
}
