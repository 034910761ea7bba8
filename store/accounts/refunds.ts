import type { Queryable } from '../database/database.ts';

/** A refund as the provider shows it. The amount is a decimal string. Contract: account 2.8. */
export interface ShownRefund {
  id: string;
  resource: string | null;
  resourceId: string | null;
  currency: string;
  amount: string;
  remarks: string | null;
}

/** What was shown before stays; what it lacked is added. */
export async function storeRefunds(database: Queryable, account: string, shown: readonly ShownRefund[]): Promise<void> {
  await database.query(
    `insert into refunds as known (account, refund_id, resource, resource_id, currency, amount, remarks, read_at)
     select $1, id, resource, "resourceId", currency, amount, remarks, clock_timestamp()
     from jsonb_to_recordset($2) as shown (id text, resource text, "resourceId" text, currency text, amount numeric, remarks text)
     order by id
     on conflict (account, refund_id) do update set resource = coalesce(known.resource, excluded.resource),
       resource_id = coalesce(known.resource_id, excluded.resource_id), currency = coalesce(known.currency, excluded.currency),
       amount = coalesce(known.amount, excluded.amount), remarks = coalesce(known.remarks, excluded.remarks),
       read_at = coalesce(known.read_at, excluded.read_at)
     where known.read_at is null or known.resource_id is null and excluded.resource_id is not null`,
    [account, JSON.stringify(withoutRepeats(shown))],
  );
}

/** Before a refund is asked for by its id: one that the provider does not show is asked for again later, and not without an end. */
export async function noteRefundAsked(database: Queryable, account: string, refundId: string): Promise<void> {
  await database.query(
    `insert into refunds as known (account, refund_id, asked_at, times_asked) values ($1, $2, clock_timestamp(), 1)
     on conflict (account, refund_id) do update set asked_at = excluded.asked_at, times_asked = known.times_asked + 1`,
    [account, refundId],
  );
}

/** One statement cannot write a row twice. */
function withoutRepeats(shown: readonly ShownRefund[]): ShownRefund[] {
  return [...new Map(shown.map((refund) => [refund.id, refund])).values()];
}

/** Has people notified, once, of each refund that the provider has shown for five days and whose money the history does not show. */
export async function recordLateRefunds(database: Queryable, account: string): Promise<void> {
  await database.query('select record_late_refunds($1)', [account]);
}

/** Has people notified, once, of what lists of the provider have had for a day and nobody can read. */
export async function recordUnreadableRecords(database: Queryable, account: string): Promise<void> {
  await database.query('select record_unreadable_records($1)', [account]);
}
