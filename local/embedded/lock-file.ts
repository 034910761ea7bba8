import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { isAlive, ownIdentity, type ProcessIdentity } from '../../config/process-identity.ts';

const HOLDER = z.object({ pid: z.number(), startedAt: z.string() });

/** Either the lock is ours until it is released, or `heldBy` names the living process that has it. */
export type LockAttempt = { held: true; release: () => void } | { held: false; heldBy: ProcessIdentity };

/**
 * Takes the lock file at `path`, or says who has it; never waits. A file left by a process that is gone is taken over.
 * Errors: those of the file system (the folder cannot be written).
 */
export function tryLock(path: string): LockAttempt {
  mkdirSync(dirname(path), { recursive: true });
  const own = ownIdentity();
  for (;;) {
    if (placeOnce(path, own)) return { held: true, release: () => releaseOwn(path, own) };
    const holder = readHolder(path);
    if (holder === undefined) continue;
    if (isAlive(holder)) return { held: false, heldBy: holder };
    removeStale(path, own);
  }
}

/** Puts a whole lock file in place or none: a file that is created first and filled later could be read empty. */
function placeOnce(path: string, own: ProcessIdentity): boolean {
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

/** The holder; undefined when the lock has just gone. A file that cannot be read as one has a holder that is gone. */
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
 * Removes a lock whose holder is gone. Only one process at a time may do so: of two that both saw the stale file, the
 * slower would otherwise remove the lock that the faster has just placed.
 */
function removeStale(path: string, own: ProcessIdentity): void {
  const takeover = `${path}.takeover`;
  if (!placeOnce(takeover, own)) {
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
