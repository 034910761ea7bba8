import type { Database, Queryable } from '../database/database.ts';

const CHAIN_EVERY_MS = 1_000;
/** For longer, no transaction of payrun is open. */
export const UNCHAINED_TOO_LONG_MS = 300_000;

interface AuditChaining {
  /** Chains the remaining entries, then ends. */
  stop(): Promise<void>;
}

/**
 * Chains the audit trail every second while the process runs. Several processes may do so; they take turns. `warn` is called
 * once when chaining begins to fail, or when entries wait for too long; unchained entries are chained later.
 */
export function startAuditChaining(
  database: Database,
  warn: (message: string) => void,
  { warnAfterMs = UNCHAINED_TOO_LONG_MS }: { warnAfterMs?: number } = {},
): AuditChaining {
  let failing = false;
  let current = Promise.resolve();

  async function chain(): Promise<void> {
    try {
      const waiting = (await chainAudit(database)) === 0 ? await unchainedTooLong(database, warnAfterMs) : null;
      if (waiting !== null && !failing) warn(waiting);
      failing = waiting !== null;
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

/** What is to be said when entries wait for longer than that; null: none does. */
export async function unchainedTooLong(database: Queryable, afterMs = UNCHAINED_TOO_LONG_MS): Promise<string | null> {
  const { rows } = await database.query<{ since: Date }>(
    `select since from unchained_since() as since where since < clock_timestamp() - $1 * interval '1 ms'`,
    [afterMs],
  );
  return rows[0] === undefined
    ? null
    : `the audit trail is not chained since ${rows[0].since.toISOString()}: somebody holds a transaction or a lock open (pg_stat_activity, pg_locks)`;
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
