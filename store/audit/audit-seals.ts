import type { Queryable } from '../database/database.ts';

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
