import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../config/process-identity.ts';

const HOLDER = z.object({ pid: z.number(), startedAt: z.string() });

/** Either this process holds the lock until it is released, or `heldBy` is the running process that does. */
export type LockAttempt = { held: true; release: () => void } | { held: false; heldBy: ProcessIdentity };

/**
 * Takes the lock file at `path`, or returns who holds it; never waits. The file of an ended process is taken over.
 * Errors: those of the file system (the folder cannot be written).
 */
export function tryLock(path: string): LockAttempt {
  mkdirSync(dirname(path), { recursive: true });
  const own = ownIdentity();
  for (;;) {
    if (createOnce(path, own)) return { held: true, release: () => releaseOwn(path, own) };
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isAlive(holder)) return { held: false, heldBy: holder };
    removeStale(path, own);
  }
}

/** Creates the lock file with its content at once: created first and written later, it could be read empty. */
function createOnce(path: string, own: ProcessIdentity): boolean {
  const draft = `${path}.${own.pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o644 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The holder; undefined if the file has just been removed. An unreadable file counts as held by an ended process. */
function readHolder(path: string): ProcessIdentity | undefined {
  try {
    return HOLDER.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    if (error instanceof z.ZodError || error instanceof SyntaxError) return { pid: 0, startedAt: 'unreadable' };
    throw error;
  }
}

/**
 * Removes the lock of an ended process. Only one process at a time may do so: of two that saw the stale file, the slower
 * would otherwise remove the lock that the faster has just created.
 */
function removeStale(path: string, own: ProcessIdentity): void {
  const takeover = `${path}.takeover`;
  if (!createOnce(takeover, own)) {
    const other = readHolder(takeover);
    if (other !== undefined && !isAlive(other)) rmSync(takeover, { force: true });
    return;
  }
  try {
    const holder = readHolder(path);
    if (holder !== undefined && !isAlive(holder)) rmSync(path, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
}

function releaseOwn(path: string, own: ProcessIdentity): void {
  const holder = readHolder(path);
  if (holder?.pid === own.pid && holder.startedAt === own.startedAt) rmSync(path, { force: true });
}

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
