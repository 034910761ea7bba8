import type { Queryable } from '../database/database.ts';

/** Null: all. */
export interface RefundFilter {
  accounts: readonly string[] | null;
  currency: string | null;
  runId: string | null;
  state: 'reported' | 'expected' | 'credited' | null;
  limit: number;
}

/** Amounts are decimal strings. */
export interface RefundView {
  account: string;
  refundId: string;
  state: 'reported' | 'expected' | 'credited';
  currency: string | null;
  amount: string | null;
  resource: string | null;
  resourceId: string | null;
  runId: string | null;
  rowRef: string | null;
  paymentState: string | null;
  remarks: string | null;
  firstSeenAt: Date;
  ageSeconds: number;
  creditedAt: Date | null;
  entryId: string | null;
}

const STATE = `case when refunds.entry_id is not null then 'credited' when refunds.read_at is null then 'reported' else 'expected' end`;

/** The newest first. */
export async function listRefunds(database: Queryable, filter: RefundFilter): Promise<RefundView[]> {
  const { accounts, currency, runId, state, limit } = filter;
  const { rows } = await database.query<RefundView>(
    `select refunds.account, refund_id as "refundId", ${STATE} as state, refunds.currency, refunds.amount::text as amount, resource,
       resource_id as "resourceId", run_id as "runId", row_ref as "rowRef", payments.state as "paymentState", remarks,
       first_seen_at as "firstSeenAt", extract(epoch from clock_timestamp() - first_seen_at)::int as "ageSeconds",
       credited_at as "creditedAt", entry_id as "entryId"
     from refunds left join payments on payments.account = refunds.account and provider_payment_id = resource_id
     where ($1::text[] is null or refunds.account = any($1)) and ($2::text is null or refunds.currency = $2)
       and ($3::uuid is null or run_id = $3) and ($4::text is null or ${STATE} = $4)
     order by first_seen_at desc, refunds.account, refund_id limit $5`,
    [accounts, currency, runId, state, limit],
  );
  return rows;
}
