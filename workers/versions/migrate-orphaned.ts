import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { describeVersions, stranded } from './describe-versions.ts';
import { takeOver } from './take-over.ts';

const LOOK_AGAIN_MS = 30_000;

/**
 * Takes over what other versions left behind that no worker serves any more, and looks again until there is none, since
 * a worker that was killed counts as there for some minutes. What cannot be taken over is said once.
 */
export async function migrateOrphaned(options: {
  client: Client;
  buildId: string;
  bundlePath: string;
  now: () => number;
  say: (line: string) => void;
  warn: (line: string) => void;
  stopSignal: AbortSignal;
}): Promise<void> {
  const { client, buildId, bundlePath, now, say, warn, stopSignal } = options;
  const told = new Set<string>();
  while (!stopSignal.aborted) {
    const others = (await describeVersions(client, now())).filter((version) => version.buildId !== buildId);
    for (const { buildId: fromBuildId } of stranded(others)) {
      if (told.has(fromBuildId)) continue;
      const { moved, refused } = await takeOver({ client, fromBuildId, toBuildId: buildId, bundlePath });
      if (moved > 0) say(`${moved} open payments of ${fromBuildId}, which no worker serves, go on as ${buildId}`);
      if (refused.length === 0) continue;
      told.add(fromBuildId);
      warn(refusalText(fromBuildId, buildId, refused));
    }
    if (others.every((version) => version.payments === 0 || told.has(version.buildId))) return;
    await sleep(LOOK_AGAIN_MS, undefined, { signal: stopSignal }).catch(() => undefined);
  }
}

/** What to do about payments whose history is not that of the code at hand. */
export function refusalText(fromBuildId: string, toBuildId: string, refused: readonly string[]): string {
  return (
    `${refused.length} open payments of ${fromBuildId} cannot go on as ${toBuildId}, whose code would go another way: ` +
    `start a worker of ${fromBuildId} until they have ended: ${refused.join(', ')}`
  );
}
