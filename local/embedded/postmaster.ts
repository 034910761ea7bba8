import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endProcess } from './orphan-process.ts';
import { commandLineOf, identityOf } from '../../config/process-identity.ts';

const STOP_GRACE_MS = 15_000;

/**
 * Deals with the lock that a Postgres killed on this cluster has left. A server that still runs on it is stopped. When
 * the lock's process number belongs to a stranger by now (after a reboot, in a new container), it is returned: Postgres
 * would take the stranger for a server, unless told of it. The file itself stays: Postgres reads in it whether processes
 * of the dead server still have its memory.
 */
export async function clearLeftPostmaster(
  cluster: string,
  report: (line: string) => void,
): Promise<{ reusedPid?: number }> {
  const pid = lockedBy(cluster);
  const living = pid === undefined ? undefined : identityOf(pid);
  if (living === undefined) return {};
  if (!isPostgresOf(cluster, living.pid)) return { reusedPid: living.pid };
  report(`Postgres of an earlier start still runs on ${cluster} (process ${living.pid}); stopping it first`);
  await endProcess(living, 'SIGINT', STOP_GRACE_MS);
  return {};
}

function lockedBy(cluster: string): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isPostgresOf(cluster: string, pid: number): boolean {
  const commandLine = commandLineOf(pid);
  return basename(commandLine.split(' ')[0] ?? '') === 'postgres' && commandLine.includes(cluster);
}
