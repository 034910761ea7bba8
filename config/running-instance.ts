import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isAlive, ownIdentity } from './process-identity.ts';
import { writeWhole } from './whole-file.ts';

/** What a running payrun tells other processes on its machine: names to addresses, all text. */
export interface InstanceAddresses {
  temporalAddress?: string;
  temporalNamespace?: string;
  temporalUiUrl?: string;
  /** Postgres, as the role that servers run under, and as the one of workers. */
  serverDatabaseUrl?: string;
  workerDatabaseUrl?: string;
  serverUrl?: string;
  sandboxUrl?: string;
  [name: string]: string | undefined;
}

/** A payrun that runs now: its home folder, the main process, since when (ISO 8601), and where its services are. */
export interface RunningInstance {
  home: string;
  pid: number;
  startedAt: string;
  addresses: InstanceAddresses;
}

const RECORD = z.object({
  pid: z.number(),
  /** When the system says the process began: tells it from a later one of the same number. */
  processStartedAt: z.string(),
  startedAt: z.string(),
  addresses: z.record(z.string(), z.string()),
});

/** The data folder, absolute: `.payrun` below the working directory unless PAYRUN_HOME names another. */
export function dataFolder(payrunHome: string | undefined, workingDirectory: string): string {
  return resolve(workingDirectory, payrunHome ?? '.payrun');
}

/** The folders in which a payrun on this machine may have left its record, in this order: the demo has its own. */
export function foldersToLookIn(payrunHome: string | undefined, workingDirectory: string): string[] {
  const home = dataFolder(payrunHome, workingDirectory);
  return [home, join(home, 'demo')];
}

const recordOf = (home: string): string => join(home, 'services.json');

/**
 * Leaves `<home>/services.json` for others to find this process by. It holds the databases' passwords, so only its
 * owner may read it. `now` in milliseconds since 1970.
 */
export function writeRunningInstance(home: string, addresses: InstanceAddresses, now: () => number): void {
  mkdirSync(home, { recursive: true });
  const own = ownIdentity();
  const record = { pid: own.pid, processStartedAt: own.startedAt, startedAt: new Date(now()).toISOString(), addresses };
  writeWhole(recordOf(home), `${JSON.stringify(record, null, 2)}\n`);
}

/** Takes the record away when this process stops; a record that another process has written since is left. */
export function removeRunningInstance(home: string): void {
  if (readRecord(home)?.pid === process.pid) rmSync(recordOf(home), { force: true });
}

/** The first of `homes` on which a payrun runs now; a record left by one that was killed does not count. */
export function findRunningInstance(homes: readonly string[]): RunningInstance | undefined {
  for (const home of homes) {
    const record = readRecord(home);
    if (record === undefined || !isAlive({ pid: record.pid, startedAt: record.processStartedAt })) continue;
    return { home, pid: record.pid, startedAt: record.startedAt, addresses: record.addresses };
  }
  return undefined;
}

/** A record that is missing, another user's, or not one, is none: whoever asks then looks elsewhere. */
function readRecord(home: string): z.infer<typeof RECORD> | undefined {
  try {
    return RECORD.parse(JSON.parse(readFileSync(recordOf(home), 'utf8')));
  } catch {
    return undefined;
  }
}
