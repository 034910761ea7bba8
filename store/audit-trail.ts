import type { Queryable } from './database.ts';

/** One fact of a run's trail. `person` is the name behind the actor's id; null: the actor is a part of payrun. */
export interface AuditEntry {
  entryId: number;
  at: Date;
  actor: string;
  person: string | null;
  kind: string;
  paymentId: string | null;
  rowRef: string | null;
  line: number | null;
  detail: Record<string, unknown>;
}

/** Facts of a run in the order in which they came, after an entry; of the rows with one reference alone where given. */
export async function listAuditEntries(
  database: Queryable,
  runId: string,
  page: { afterEntry: number; limit: number; rowRef: string | null },
): Promise<AuditEntry[]> {
  const { rows } = await database.query<AuditEntry>(
    `select entry_id as "entryId", at, actor, people.name as person, kind, entries.payment_id as "paymentId",
       payments.row_ref as "rowRef", payments.line, detail
     from audit_entries entries
     left join people on people.user_id::text = entries.actor
     left join payments on payments.payment_id = entries.payment_id
     where entries.run_id = $1 and entry_id > $2 and ($4::text is null or payments.row_ref = $4)
     order by entry_id limit $3`,
    [runId, page.afterEntry, page.limit, page.rowRef],
  );
  return rows;
}
