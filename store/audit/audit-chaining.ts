import type { Database, Queryable } from '../database/database.ts';

const CHAIN_EVERY_MS = 1_000;

interface AuditChaining {
  /** Chains the remaining entries, then ends. */
  stop(): Promise<void>;
}

/**
 * Chains the audit trail every second while the process runs. Several processes may do so; they take turns. `warn` is called
 * once when chaining begins to fail; unchained entries are chained later.
 */
export function startAuditChaining(database: Database, warn: (message: string) => void): AuditChaining {
  let failing = false;
  let current = Promise.resolve();

  async function chain(): Promise<void> {
    try {
      await chainAudit(database);
      failing = false;
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
