import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { migrateOrphaned } from './migrate-orphaned.ts';
import { becomeCurrent } from './become-current.ts';
import { describeVersions } from './describe-versions.ts';

/** What a worker does about versions by itself, when it starts. */
export interface VersionChoice {
  /** Make its own version current. Otherwise only the very first version becomes current. */
  setCurrent: boolean;
  /** Take over the open payments of versions without workers. */
  takeOver: boolean;
}

/**
 * Registers the version of workers that have just started, and logs whether it is current. `migrated` resolves when
 * nothing is left to take over, or after the stop signal; it never rejects.
 */
export async function registerVersion(options: {
  client: Client;
  buildId: string;
  bundlePath: string;
  accounts: readonly string[];
  choice: VersionChoice;
  log: Logger;
  /** For lines that the person who starts payrun should see. */
  print: (line: string) => void;
  now: () => number;
  stopSignal: AbortSignal;
}): Promise<{ migrated: Promise<void> }> {
  const { client, buildId, choice, log, stopSignal } = options;
  const result = await becomeCurrent({ ...options, always: choice.setCurrent });
  if (result.kind === 'stopped') return { migrated: Promise.resolve() };
  if (result.kind === 'inactive') {
    log.warn(
      { buildId, currentBuildId: result.currentBuildId },
      `${result.currentBuildId} is current, so this version gets no payments yet; to make it current: payrun versions set-current ${buildId}`,
    );
  } else log.info({ buildId }, 'this version is current');
  if (!choice.takeOver) return { migrated: Promise.resolve() };
  for (const { buildId: other, payments } of await describeVersions(client, options.now())) {
    if (other === buildId || payments === 0) continue;
    options.print(`${payments} open payments started on ${other}; once it has no worker, they continue on ${buildId}`);
  }
  const info = (line: string): void => log.info(line);
  const warn = (line: string): void => log.error(line);
  const migrated = migrateOrphaned({ ...options, client, info, warn }).catch((error: unknown) => {
    if (!stopSignal.aborted) log.error({ error: String(error) }, 'open payments of other versions were not taken over');
  });
  return { migrated };
}
