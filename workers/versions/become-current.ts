import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  MAIN_TASK_QUEUE,
  NOTIFICATION_TASK_QUEUE,
  providerTaskQueue,
  UPLOAD_TASK_QUEUE,
} from '../../domain/identifiers.ts';
import { queuesOf, readDeployment } from './deployment.ts';
import { isRefused } from './server-refusal.ts';
import { setCurrent } from './set-current.ts';

const POLL_MS = 20;
const ATTEMPTS = 20;
const REGISTERED_WITHIN_MS = 60_000;

/**
 * `made_current`: by this call. `already_current`: before it. `inactive`: another version is current, and an operator
 * decides. `stopped`: the stop signal came first.
 */
export type BecomeCurrentResult =
  | { kind: 'made_current' | 'already_current' | 'stopped' }
  | { kind: 'inactive'; currentBuildId: string };

/**
 * Makes the version of workers that have just started current: the very first version always, since no workflow would
 * run otherwise; a later one if `always`.
 * @throws Error when its workers are not registered within a minute, or the server keeps refusing to make it current
 */
export async function becomeCurrent(options: {
  client: Client;
  buildId: string;
  /** The provider accounts that these workers serve. */
  accounts: readonly string[];
  always: boolean;
  stopSignal?: AbortSignal;
}): Promise<BecomeCurrentResult> {
  const { client, buildId } = options;
  // If it became current before all its queues are registered, tasks could wait for workers unknown to the server.
  await waitUntilRegistered(options);
  if (options.stopSignal?.aborted === true) return { kind: 'stopped' };
  for (let attempt = 1; ; attempt += 1) {
    const deployment = await readDeployment(client);
    const currentBuildId = deployment?.currentBuildId ?? null;
    if (currentBuildId === buildId) return { kind: attempt === 1 ? 'already_current' : 'made_current' };
    if (currentBuildId !== null && !options.always) return { kind: 'inactive', currentBuildId };
    try {
      // With the token, one of several workers that start at the same time succeeds, and the others read again.
      await setCurrent(client, buildId, deployment?.conflictToken);
      return { kind: 'made_current' };
    } catch (error) {
      if (!isRefused(error) || attempt === ATTEMPTS) throw error;
      await sleep(attempt * POLL_MS);
    }
  }
}

async function waitUntilRegistered(options: {
  client: Client;
  buildId: string;
  accounts: readonly string[];
  stopSignal?: AbortSignal;
}): Promise<void> {
  const { client, buildId, accounts, stopSignal } = options;
  const expected = [
    `workflow ${MAIN_TASK_QUEUE}`,
    `activity ${MAIN_TASK_QUEUE}`,
    `activity ${UPLOAD_TASK_QUEUE}`,
    `activity ${NOTIFICATION_TASK_QUEUE}`,
    ...accounts.map((account) => `activity ${providerTaskQueue(account)}`),
  ];
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const known = await queuesOf(client, buildId);
    const missing = expected.filter((queue) => !known.has(queue));
    if (missing.length === 0 || stopSignal?.aborted === true) return;
    if (waitedMs >= REGISTERED_WITHIN_MS) {
      throw new Error(
        `the workers of ${buildId} are not registered with Temporal yet (${missing.join(', ')}): start again`,
      );
    }
    await sleep(POLL_MS);
  }
}
