import type { Queryable } from '../database/database.ts';

/** What is known of a balance. Amounts are decimal strings. */
export interface BalanceView {
  account: string;
  currency: string;
  amount: string | null;
  readAt: Date | null;
  ageSeconds: number | null;
  /** Null: the history has no entry. */
  lastAmount: string | null;
  lastDatedAt: Date | null;
  gapSince: Date | null;
  unfollowedSince: Date | null;
  /** Null: the history has no entry. */
  free: string | null;
  committed: string | null;
  /** `raisedAt` as JSON has it. */
  alarms: {
    kind: 'free_negative' | 'debit_not_found' | 'debit_of_unpaid';
    ledgerAccount: string;
    amount: string;
    raisedAt: string;
  }[];
}

/** Every currency that a balance or an entry was seen in, of these accounts; null: of all. */
export async function listBalances(
  database: Queryable,
  accounts: readonly string[] | null,
  currency: string | null,
): Promise<BalanceView[]> {
  const { rows } = await database.query<BalanceView>(
    `select account, currency, snapshots.amount::text as amount, read_at as "readAt",
       extract(epoch from clock_timestamp() - read_at)::int as "ageSeconds", last_amount::text as "lastAmount",
       last_dated_at as "lastDatedAt", gap_since as "gapSince", unfollowed_since as "unfollowedSince",
       case when last_amount is not null then free::text end as free, (last_amount - free)::text as committed,
       coalesce((select jsonb_agg(jsonb_build_object('kind', kind, 'ledgerAccount', ledger_account, 'amount', amount::text,
           'raisedAt', raised_at) order by raised_at)
         from money_alarms alarms where alarms.account = coalesce(snapshots.account, chains.account)
           and alarms.currency = coalesce(snapshots.currency, chains.currency) and ended_at is null), '[]') as alarms
     from balance_snapshots snapshots full join balance_chains chains using (account, currency)
     -- Of every payment there was, the ledger has a row: what is neither outside nor free is not summed up.
     cross join lateral (select coalesce((select held.amount from ledger_balances held
       where held.account = chains.account and held.currency = chains.currency and ledger_account = 'free'), 0) as free) as ledger
     where ($1::text[] is null or account = any($1)) and ($2::text is null or currency = $2)
     order by account, currency`,
    [accounts, currency],
  );
  return rows;
}

/** How much of an account's history was read. */
export interface HistoryCoverage {
  account: string;
  readAt: Date;
  /** Since when without interruption. */
  fromAt: Date;
}

export async function listCoverage(
  database: Queryable,
  accounts: readonly string[] | null,
): Promise<HistoryCoverage[]> {
  const { rows } = await database.query<HistoryCoverage>(
    `select account, max(read_at) as "readAt",
       coalesce(max(from_at) filter (where is_first), min(from_at)) as "fromAt"
     from (
       select account, read_at, from_at,
         from_at > max(to_at) over (partition by account order by from_at, range_id rows between unbounded preceding and 1 preceding)
           as is_first
       from history_ranges where not is_gap and ($1::text[] is null or account = any($1))
     ) as ranges group by account`,
    [accounts],
  );
  return rows;
}

export interface HistoryEntryView {
  account: string;
  currency: string;
  entryId: string;
  position: number | null;
  datedAt: Date;
  before: string;
  after: string;
  change: string;
  total: string | null;
  transactionId: string | null;
  type: string;
  firstSeenAt: Date;
  disregarded: 'copy' | 'before_start' | null;
}

export interface EntryKey {
  account: string;
  currency: string;
  entryId: string;
}

export interface EntryFilter {
  /** Null: all. */
  accounts: readonly string[] | null;
  currency: string | null;
  /** Start inclusive, end exclusive. */
  from: Date | null;
  to: Date | null;
  limit: number;
  /** The last entry of the page before. */
  after: EntryKey | null;
}

/** A total order; the newest entry first, and of equal dates the one that is further on in the history. */
const ORDER = '(dated_at, account, currency, coalesce(position, 9223372036854775807), entry_id)';

/** The newest first. */
export async function listEntries(database: Queryable, filter: EntryFilter): Promise<HistoryEntryView[]> {
  const { rows } = await database.query<HistoryEntryView>(
    `select account, currency, entry_id as "entryId", position, dated_at as "datedAt", amount_before::text as before,
       amount_after::text as after, (amount_after - amount_before)::text as change, total_amount::text as total,
       transaction_id as "transactionId", transaction_type as type, first_seen_at as "firstSeenAt", disregarded
     from balance_entries
     where ($1::text[] is null or account = any($1)) and ($2::text is null or currency = $2)
       and ($3::timestamptz is null or dated_at >= $3) and ($4::timestamptz is null or dated_at < $4)
       and ($5::text is null or ${ORDER} < (select ${ORDER.slice(1, -1)} from balance_entries
         where account = $5 and currency = $6 and entry_id = $7))
     order by dated_at desc, account desc, currency desc, coalesce(position, 9223372036854775807) desc, entry_id desc
     limit $8`,
    [
      filter.accounts,
      filter.currency,
      filter.from,
      filter.to,
      filter.after?.account ?? null,
      filter.after?.currency ?? null,
      filter.after?.entryId ?? null,
      filter.limit,
    ],
  );
  return rows;
}
