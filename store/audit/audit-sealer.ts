import type { Database, Queryable } from '../database/database.ts';

const SEAL_EVERY_MS = 1_000;

interface AuditSealer {
  /** Seals the remaining entries, then ends. */
  stop(): Promise<void>;
}

/**
 * Seals the audit trail every second while the process runs. Several processes may do so; they take turns. `warn` is called
 * once when sealing begins to fail; unsealed entries are sealed later.
 */
export function startAuditSealer(database: Database, warn: (message: string) => void): AuditSealer {
  let failing = false;
  let current = Promise.resolve();

  async function seal(): Promise<void> {
    try {
      await sealAudit(database);
      failing = false;
    } catch {
      if (!failing) warn('the audit trail cannot be sealed; it is tried again every second');
      failing = true;
    }
  }

  let busy = false;
  const tick = (): void => {
    if (busy) return;
    busy = true;
    current = seal().finally(() => {
      busy = false;
    });
  };
  const timer = setInterval(tick, SEAL_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await current;
      await seal();
    },
  };
}

const ENTRIES_PER_TRANSACTION = 5_000;

/** Seals the audit trail, by the only database function that may, and returns how many entries it sealed. */
export async function sealAudit(database: Queryable, limit = ENTRIES_PER_TRANSACTION): Promise<number> {
  let sealed = 0;
  for (;;) {
    const { rows } = await database.query<{ batch: number }>('select seal_audit($1) as batch', [limit]);
    const { batch = 0 } = rows[0] ?? {};
    sealed += batch;
    if (batch < limit) return sealed;
  }
}
