import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endProcess } from './orphan-process.ts';
import { commandLineOf, identityOf } from '../../config/process-identity.ts';

const STOP_GRACE_MS = 15_000;

/**
 * Handles the lock file of a Postgres that was killed. A server that still runs on the cluster is stopped. If the process
 * number now belongs to an unrelated process (after a reboot, in a new container), it is returned, because Postgres must
 * be told not to take that process for a server. The file is kept: Postgres reads from it whether processes of the killed
 * server still use its memory.
 */
export async function stopLeftoverPostmaster(
  cluster: string,
  report: (line: string) => void,
): Promise<{ reusedPid?: number }> {
  const pid = readPid(cluster);
  const running = pid === undefined ? undefined : identityOf(pid);
  if (running === undefined) return {};
  if (!isPostgresOf(cluster, running.pid)) return { reusedPid: running.pid };
  report(`Postgres of an earlier start still runs on ${cluster} (process ${running.pid}); stopping it first`);
  await endProcess(running, 'SIGINT', STOP_GRACE_MS);
  return {};
}

function readPid(cluster: string): number | undefined {
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
