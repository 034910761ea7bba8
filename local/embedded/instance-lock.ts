import { join } from 'node:path';
import { tryLock } from './lock-file.ts';

/** The right to be the one payrun that works on a home folder; it ends with `release` or with the process. */
export interface InstanceLock {
  release: () => void;
}

/**
 * Makes this process the only payrun on `home`: two would start two Postgres servers on one cluster. A lock left by a
 * process that was killed is taken over.
 * Errors: another living payrun holds it, or the folder cannot be written.
 */
export function acquireInstanceLock(home: string): InstanceLock {
  const attempt = tryLock(join(home, 'payrun.lock'));
  if (attempt.held) return { release: attempt.release };
  throw new Error(
    `payrun already runs on ${home} (process ${attempt.heldBy.pid}). ` +
      `Stop it first (kill ${attempt.heldBy.pid}), or choose another folder with PAYRUN_HOME.`,
  );
}
