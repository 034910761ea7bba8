import type { Queryable } from '../database/database.ts';

/** A new entry of the trail. `detail` has identifiers and codes, never names, account numbers or provider texts. */
export interface AuditFact {
  /** The part of payrun that acts. Actions of people are recorded by the functions that verify their token hash. */
  actor: string;
  kind: string;
  runId?: string | null;
  paymentId?: string | null;
  detail?: Record<string, unknown>;
}

export async function appendAudit(database: Queryable, fact: AuditFact): Promise<void> {
  await database.query(
    'insert into audit_entries (actor, kind, run_id, payment_id, detail) values ($1, $2, $3, $4, $5)',
    [fact.actor, fact.kind, fact.runId ?? null, fact.paymentId ?? null, JSON.stringify(fact.detail ?? {})],
  );
}
