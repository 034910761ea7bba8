import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { migrateOrphaned } from './migrate-orphaned.ts';
import { becomeCurrent } from './become-current.ts';
import { describeVersions } from './describe-versions.ts';

/** What a worker may do with versions without being told again. */
export interface VersionChoice {
  /** Make its own version current. Without, only the first version ever is. */
  setCurrent: boolean;
  /** Take over payments of versions that no worker serves. */
  takeOver: boolean;
}

/**
 * Finds the place of workers that were just started among the versions of the deployment, and says it in the log.
 * `settled` resolves when nothing is left to take over, or after the stop signal; it never rejects.
 */
export async function registerVersion(options: {
  client: Client;
  buildId: string;
  bundlePath: string;
  accounts: readonly string[];
  choice: VersionChoice;
  log: Logger;
  /** Takes what a person who starts payrun should see at once. */
  tell: (line: string) => void;
  now: () => number;
  stopSignal: AbortSignal;
}): Promise<{ settled: Promise<void> }> {
  const { client, buildId, choice, log, stopSignal } = options;
  const standing = await becomeCurrent({ ...options, always: choice.setCurrent });
  if (standing.kind === 'stopped') return { settled: Promise.resolve() };
  if (standing.kind === 'waits') {
    log.warn(
      { buildId, currentBuildId: standing.currentBuildId },
      `this version waits, as ${standing.currentBuildId} is current; to make it current: payrun versions set-current ${buildId}`,
    );
  } else log.info({ buildId }, 'this version is current');
  if (!choice.takeOver) return { settled: Promise.resolve() };
  for (const { buildId: other, payments } of await describeVersions(client, options.now())) {
    if (other === buildId || payments === 0) continue;
    options.tell(`${payments} open payments began on ${other}; once it has no worker, they go on as ${buildId}`);
  }
  const say = (line: string): void => log.info(line);
  const warn = (line: string): void => log.error(line);
  const settled = migrateOrphaned({ ...options, client, say, warn }).catch((error: unknown) => {
    if (!stopSignal.aborted) log.error({ error: String(error) }, 'open payments of other versions were not taken over');
  });
  return { settled };
}
