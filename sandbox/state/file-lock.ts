import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { StateFileError } from './state-file-error.ts';

/**
 * Makes this process the only one that uses `path`, by a lock file beside it; answers what ends that. A lock of a
 * process that is gone, however it ended, is taken over.
 * @throws StateFileError that names the process which has it, or Error of the file system
 */
export function lockFile(path: string): () => void {
  const lock = `${path}.lock`;
  const own = identityOf(process.pid);
  for (;;) {
    if (place(lock, own)) return () => rmSync(lock, { force: true });
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

/** Puts a whole lock file in place or none: a file that is created first and filled later could be read empty. */
function place(lock: string, own: string): boolean {
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

/** One at a time: of two that both saw the stale lock, the slower would remove the one that the faster had placed. */
function removeStale(lock: string, own: string): void {
  const takeover = `${lock}.takeover`;
  if (!place(takeover, own)) {
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

/** A process by its number and when it started, as numbers are used again. Without a start: there is no such process. */
function identityOf(pid: number): string {
  try {
    if (process.platform !== 'linux') {
      const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
      return `${pid} ${execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env }).trim()}`;
    }
    // The second field is the program's name in parentheses and may hold anything; the 22nd, ticks since the boot.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isGone = fields[0] === 'Z' || fields[0] === 'X';
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return isGone ? `${pid}` : `${pid} ${boot}/${fields[19] ?? ''}`;
  } catch {
    return `${pid}`;
  }
}
