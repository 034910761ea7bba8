import { FINAL_FUNDING_STATUSES } from '../../domain/accounts/funding-status.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** A funding as the provider shows it. The amount is a decimal string. Contract: account 2.7. */
export interface ShownFunding {
  id: string;
  balanceId: string | null;
  currency: string;
  amount: string;
  reference: string | null;
  status: string;
}

/**
 * Stores what a read that began at `readAt` showed; `pass`: when the pass through the list began that it is part of. A newer
 * status replaces an older one, and nothing one that is final. Returns how many this pass has not shown before.
 */
export async function storeFundings(
  database: Queryable,
  account: string,
  shown: readonly ShownFunding[],
  { readAt, pass }: { readAt: string; pass: string | null },
): Promise<number> {
  const { rows } = await database.query<{ isNew: boolean }>(
    `with shown as (
       select * from jsonb_to_recordset($2)
         as shown (id text, "balanceId" text, currency text, amount numeric, reference text, status text)
     ), before as (
       select funding_id from fundings where account = $1 and listed_at >= $4::timestamptz
     )
     insert into fundings as known (account, funding_id, balance_id, currency, amount, reference, status, status_read_at, was_completed,
       listed_at)
     select $1, id, "balanceId", currency, amount, reference, status, $3, status = 'completed', $4::timestamptz from shown order by id
     on conflict (account, funding_id) do update set balance_id = coalesce(known.balance_id, excluded.balance_id),
       currency = coalesce(known.currency, excluded.currency), amount = coalesce(known.amount, excluded.amount),
       reference = coalesce(known.reference, excluded.reference),
       was_completed = case when known.status is null then excluded.was_completed else known.was_completed end,
       completed_at = case when known.status not in (${sqlList(FINAL_FUNDING_STATUSES)}) and known.status_read_at < excluded.status_read_at
         and excluded.status = 'completed' then excluded.status_read_at else known.completed_at end,
       status = case when known.status is null or known.status_read_at < excluded.status_read_at
         and known.status not in (${sqlList(FINAL_FUNDING_STATUSES)}) then excluded.status else known.status end,
       status_read_at = greatest(known.status_read_at, excluded.status_read_at),
       listed_at = greatest(known.listed_at, excluded.listed_at)
     returning funding_id not in (select funding_id from before) as "isNew"`,
    [account, JSON.stringify([...new Map(shown.map((one) => [one.id, one])).values()]), readAt, pass],
  );
  return rows.filter(({ isNew }) => isNew).length;
}

/** Before a funding is asked for by its id. */
export async function noteFundingAsked(database: Queryable, account: string, fundingId: string): Promise<void> {
  await database.query(
    `insert into fundings as known (account, funding_id, asked_at, times_asked) values ($1, $2, clock_timestamp(), 1)
     on conflict (account, funding_id) do update set asked_at = excluded.asked_at, times_asked = known.times_asked + 1`,
    [account, fundingId],
  );
}
