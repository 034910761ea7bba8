import type { Database, Queryable } from '../database/database.ts';

const CHAIN_EVERY_MS = 1_000;
/** For longer, no transaction of payrun is open. */
export const UNCHAINED_TOO_LONG_MS = 300_000;

/** For so long, no entry is chained before who holds them up is ended. */
const HELD_UP_MS = 10_000;

interface AuditChaining {
  /** Chains the remaining entries, then ends. */
  stop(): Promise<void>;
}

/**
 * Chains the audit trail every second while the process runs. Several processes may do so; they take turns. `warn` is called
 * once when chaining begins to fail, or when entries wait for too long, and when the sessions that hold them up are ended; unchained
 * entries are chained later.
 */
export function startAuditChaining(
  database: Database,
  warn: (message: string) => void,
  { warnAfterMs = UNCHAINED_TOO_LONG_MS, heldUpMs = HELD_UP_MS }: { warnAfterMs?: number; heldUpMs?: number } = {},
): AuditChaining {
  let failing = false;
  let heldUp: { since: string; seenAt: number } | null = null;
  let current = Promise.resolve();

  async function chain(): Promise<void> {
    try {
      const waiting = (await chainAudit(database)) === 0 ? await waitingTooLong(database, warnAfterMs) : null;
      if (waiting !== null && !failing) warn(messageOf(waiting));
      failing = waiting !== null;
      if (waiting?.exactly !== heldUp?.since) {
        heldUp = waiting === null ? null : { since: waiting.exactly, seenAt: performance.now() };
      } else if (heldUp !== null && performance.now() - heldUp.seenAt >= heldUpMs) {
        const ended = await endHolders(database, heldUp.since);
        if (ended !== null) warn(ended);
        await chainAudit(database);
      }
    } catch {
      if (!failing) warn('the audit trail cannot be chained; it is tried again every second');
      failing = true;
    }
  }

  let busy = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    current = chain().finally(() => {
      busy = false;
    });
  };
  const timer = setInterval(tick, CHAIN_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
      await chain();
    },
  };
}

interface WaitingEntry {
  since: Date;
  /** To the microsecond, as Postgres writes it. */
  exactly: string;
}

/** The oldest entry that waits for longer than that; null: none does. */
async function waitingTooLong(database: Queryable, afterMs: number): Promise<WaitingEntry | null> {
  const { rows } = await database.query<WaitingEntry>(
    `select since, since::text as exactly from unchained_since() as since where since < clock_timestamp() - $1 * interval '1 ms'`,
    [afterMs],
  );
  return rows[0] ?? null;
}

/** What is to be said when entries wait for longer than that; null: none does. */
export async function unchainedTooLong(database: Queryable, afterMs = UNCHAINED_TOO_LONG_MS): Promise<string | null> {
  const waiting = await waitingTooLong(database, afterMs);
  return waiting === null ? null : messageOf(waiting);
}

function messageOf({ since }: WaitingEntry): string {
  return `the audit trail is not chained since ${since.toISOString()}: somebody holds a transaction or a lock open (pg_stat_activity, pg_locks)`;
}

/** Ends who holds up the entry that waits since then, if it does for long enough. What is to be said of it; null: nothing was done. */
async function endHolders(database: Queryable, since: string): Promise<string | null> {
  const { rows } = await database.query<{ answer: { ended: string[]; left: number } }>(
    'select end_chain_holders($1::timestamptz) as answer',
    [since],
  );
  const { ended = [], left = 0 } = rows[0]?.answer ?? {};
  if (ended.length > 0) {
    return `sessions that kept the audit trail from being chained were ended, of the logins: ${ended.join(', ')}; if it happens again, take the login away`;
  }
  return left === 0
    ? null
    : `the audit trail is kept from being chained by ${left} sessions that the owner of the database may not end: grant pg_signal_backend to it, or end them`;
}

const ENTRIES_PER_TRANSACTION = 5_000;

/** Chains the audit trail, by the only database function that may, and returns how many entries it chained. */
export async function chainAudit(database: Queryable, limit = ENTRIES_PER_TRANSACTION): Promise<number> {
  let chained = 0;
  for (;;) {
    const { rows } = await database.query<{ batch: number }>('select chain_audit($1) as batch', [limit]);
    const { batch = 0 } = rows[0] ?? {};
    chained += batch;
    if (batch < limit) return chained;
  }
}
