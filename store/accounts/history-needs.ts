import type { HistoryNeeds } from '../../domain/accounts/history-schedule.ts';
import { MONEY_WEBHOOK_KINDS } from '../../domain/accounts/money-webhooks.ts';
import { PENDING_PAYMENT_STATES, PROVIDER_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { STARTED_RUN_STATES } from '../../domain/runs/run-state.ts';
import { sinceMs } from '../database/sql-times.ts';

/** What the database says of why the history is to be read. */
type RecordedNeeds = Omit<HistoryNeeds, 'sinceRequestedMs' | 'gapFailures' | 'mayCome'>;

/**
 * Why the history is to be read, from the database alone. `sinceTryMs`, `sinceGapTryMs`: since the last attempts to read news
 * and a gap of the one who asks; null: none.
 */
export async function readHistoryNeeds(
  database: Queryable,
  account: string,
  sinceTryMs: number | null,
  sinceGapTryMs: number | null = null,
): Promise<RecordedNeeds> {
  const { rows } = await database.query<RecordedNeeds>(
    `with last as (
       select greatest(news.read_at, clock_timestamp() - make_interval(secs => $2)) as tried_at,
         greatest(any_kind.read_at, clock_timestamp() - make_interval(secs => $3)) as gap_tried_at
       from (select max(read_at) as read_at from history_ranges where account = $1 and not is_gap) as news,
         (select max(read_at) as read_at from history_ranges where account = $1) as any_kind
     ), events as (
       select min(last_received_at) as first_at, max(last_received_at) as last_at from webhook_inbox, last
       where account = $1 and kind in (${sqlList(MONEY_WEBHOOK_KINDS)})
         and last_received_at > coalesce(last.tried_at, '-infinity')
     ), active as (
       select run_id from runs where account = $1 and finished_at is null and state in (${sqlList(STARTED_RUN_STATES)})
     )
     select ${sinceMs('last.tried_at')} as "sinceLastReadMs", ${sinceMs('last.gap_tried_at')} as "sinceGapReadMs",
       ${sinceMs('first_at')} as "sinceFirstEventMs",
       ${sinceMs('last_at')} as "sinceLastEventMs",
       (select count(*)::int from payments where account = $1 and state = 'awaiting_funds'
         and not is_stopped(account, run_id)) as waiting,
       exists (select from payments join active using (run_id) where state in (${sqlList(PENDING_PAYMENT_STATES)})) as "mayWait",
       exists (select from active) or exists (select from payments where account = $1
           and state in (${sqlList(PROVIDER_PAYMENT_STATES)}))
         or exists (select from ledger_balances where account = $1 and kind in ('payment', 'conversion') and amount > 0)
         as "isUnderWay",
       exists (select from payments where account = $1 and funded_at > coalesce(last.tried_at, '-infinity')) as "hasMoved",
       (select min(gap_reads) from balance_chains
        where account = $1 and gap_until is not null and unfollowed_since is null) as "gapReads"
     from last, events`,
    [account, secondsOf(sinceTryMs), secondsOf(sinceGapTryMs)],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate gave no row');
  return row;
}

function secondsOf(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000;
}
