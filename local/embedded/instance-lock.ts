import { join } from 'node:path';
import { tryLock } from './lock-file.ts';

/** The exclusive right to use a home folder, until `release` or the end of the process. */
export interface InstanceLock {
  release: () => void;
}

/**
 * Locks `home` for this process: two payruns would start two Postgres servers on one cluster. The lock of a killed
 * process is taken over.
 * Errors: another running payrun holds it, or the folder cannot be written.
 */
export function acquireInstanceLock(home: string): InstanceLock {
  const attempt = tryLock(join(home, 'payrun.lock'));
  if (attempt.held) return { release: attempt.release };
  throw new Error(
    `payrun already runs on ${home} (process ${attempt.heldBy.pid}). ` +
      `Stop it first (kill ${attempt.heldBy.pid}), or choose another folder with PAYRUN_HOME.`,
  );
}
