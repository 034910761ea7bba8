import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StateFileError } from './state-file-error.ts';

/**
 * Locks `path` for this process with a lock file next to it; returns the function that unlocks it. The lock of a process
 * that has ended is taken over.
 * @throws StateFileError that names the process which holds the lock, or Error of the file system
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  const own = identityOf(process.pid);
  for (;;) {
    if (createLock(lock, own)) return () => rmSync(lock, { force: true });
    const holder = read(lock);
    if (holder !== undefined && isAlive(holder)) {
      const pid = holder.split(' ')[0] ?? '';
      throw new StateFileError(
        path,
        `a sandbox uses it already (process ${pid})`,
        'Stop that one, or name another file',
      );
    }
    removeStale(lock, own);
  }
}

/** Creates the lock file with its content in one step: otherwise another process could read it while it is empty. */
function createLock(lock: string, own: string): boolean {
  const draft = `${lock}.${process.pid}`;
  writeFileSync(draft, own, { mode: 0o600 });
  try {
    linkSync(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** One process at a time: of two that saw the stale lock, the slower would remove the new lock of the faster. */
function removeStale(lock: string, own: string): void {
  const takeover = `${lock}.takeover`;
  if (!createLock(takeover, own)) {
    const other = read(takeover);
    if (other !== undefined && !isAlive(other)) rmSync(takeover, { force: true });
    return;
  }
  const holder = read(lock);
  if (holder !== undefined && !isAlive(holder)) rmSync(lock, { force: true });
  rmSync(takeover, { force: true });
}

function read(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const isAlive = (identity: string): boolean => {
  const [pid, startedAt] = identity.split(' ', 2);
  return startedAt !== undefined && identityOf(Number(pid)) === identity;
};

/** Identifies a process by its id and start time, as ids are reused. Without a start time there is no such process. */
function identityOf(pid: number): string {
  try {
    if (process.platform !== 'linux') {
      const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
      return `${pid} ${execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim()}`;
    }
    // The second field, in parentheses, is the program's name and may contain anything; the 22nd is the start time.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isGone = fields[0] === 'Z' || fields[0] === 'X';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return isGone ? `${pid}` : `${pid} ${boot}/${fields[19] ?? ''}`;
  } catch {
    return `${pid}`;
  }
}
