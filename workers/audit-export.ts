import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type AuditPiece, rangeOf } from '../domain/audit/audit-export.ts';
import { exportAudit } from '../store/audit/audit-exports.ts';
import type { Database } from '../store/database/database.ts';

const EXPORT_EVERY_MS = 60_000;
const TIMEOUT_MS = 30_000;

/** Where the audit trail goes: a folder, or an address that takes each piece by POST. */
export type AuditDestination = { folder: string } | { url: string; token: string | null };

/**
 * Exports every minute what was chained since. Several workers may do so; they take turns, so all of them reach the same folder.
 * `warn` is called once when exporting begins to fail.
 */
export function startAuditExport(options: {
  database: Database;
  destination: AuditDestination;
  warn: (message: string) => void;
  everyMs?: number;
}): { stop(): Promise<void> } {
  const { database, destination, warn, everyMs = EXPORT_EVERY_MS } = options;
  const name = 'folder' in destination ? destination.folder : destination.url;
  let isFailing = false;
  let current: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      await exportAudit(database, name, (piece) => deliver(destination, piece));
      isFailing = false;
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unknown error';
      if (!isFailing) warn(`the audit trail cannot be exported (${why}); it is tried again every minute`);
      isFailing = true;
    }
  };
  const tick = (): void => {
    current ??= look().finally(() => {
      current = null;
    });
  };
  tick();
  const timer = setInterval(tick, everyMs);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
    },
  };
}

/** Delivers a piece; again, if it was delivered before. */
export function deliver(destination: AuditDestination, piece: AuditPiece): Promise<void> {
  return 'folder' in destination ? write(destination.folder, piece) : send(destination, piece);
}

/** By their names files are in the order of the chain, and one with another content has another name: none is replaced by another. */
function nameOf(piece: AuditPiece): string {
  const { from, to, hash } = rangeOf(piece);
  const [first, last] = [from, to].map((position) => String(position).padStart(12, '0'));
  return `audit-${first}-${last}-${hash.slice(0, 16)}`;
}

/** The file gets its name when it is complete, and on disk. */
async function write(folder: string, piece: AuditPiece): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `${nameOf(piece)}.json`);
  const partial = `${path}.partial-${process.pid}`;
  await rm(partial, { force: true });
  const file = await open(partial, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(piece)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

async function send({ url, token }: { url: string; token: string | null }, piece: AuditPiece): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': nameOf(piece),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(piece),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  // guard: exported-when-taken
  if (!response.ok) throw new Error(`the endpoint answered ${response.status}`);
}
