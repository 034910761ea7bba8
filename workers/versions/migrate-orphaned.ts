import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { describeVersions, orphanedVersions } from './describe-versions.ts';
import { takeOver } from './take-over.ts';

const POLL_MS = 30_000;

/**
 * Takes over the open payments of other versions without workers, and repeats that until none are left, since a worker
 * that was killed counts as running for some minutes. Payments that cannot be taken over are reported once.
 */
export async function migrateOrphaned(options: {
  client: Client;
  buildId: string;
  bundlePath: string;
  now: () => number;
  info: (line: string) => void;
  warn: (line: string) => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { client, buildId, bundlePath, now, info, warn, stopSignal } = options;
  const reported = new Set<string>();
  while (!stopSignal.aborted) {
    const others = (await describeVersions(client, now())).filter((version) => version.buildId !== buildId);
    for (const { buildId: fromBuildId } of orphanedVersions(others)) {
      if (reported.has(fromBuildId)) continue;
      const { moved, refused } = await takeOver({ client, fromBuildId, toBuildId: buildId, bundlePath });
      if (moved > 0) info(`${moved} open payments of ${fromBuildId}, which no worker serves, continue on ${buildId}`);
      if (refused.length === 0) continue;
      reported.add(fromBuildId);
      warn(refusalText(fromBuildId, buildId, refused));
    }
    if (others.every((version) => version.payments === 0 || reported.has(version.buildId))) return;
    await sleep(POLL_MS, undefined, { signal: stopSignal }).catch(() => undefined);
  }
}

/** What an operator does about workflows whose history the new code does not replay. */
export function refusalText(fromBuildId: string, toBuildId: string, refused: readonly string[]): string {
  return (
    `${refused.length} open payments of ${fromBuildId} cannot continue on ${toBuildId}, whose code does not replay them: ` +
    `start a worker of ${fromBuildId} until they have ended: ${refused.join(', ')}`
  );
}
