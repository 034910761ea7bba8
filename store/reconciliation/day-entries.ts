import type { Movement } from '../../domain/reconciliation/movement.ts';
import { END_OF_DAY, type FactRange } from '../accounts/fact-sources.ts';
import type { Queryable } from '../database/database.ts';

/**
 * Entries that are in the books of no day before, dated until `afterEndMs` after the end of the day. Without those that are older
 * than the first one of the history: no balance is known for them.
 */
export async function readDayEntries(
  database: Queryable,
  { account, day }: FactRange,
  afterEndMs: number,
): Promise<Movement[]> {
  const { rows } = await database.query<Movement>(
    `select entry_id as "entryId", currency, amount_before::text as "amountBefore", amount_after::text as "amountAfter",
       transaction_type as type, transaction_id as "transactionId", (extract(epoch from dated_at) * 1000)::float8 as date
     from balance_entries entries
     where account = $1 and dated_at < ${END_OF_DAY} + make_interval(secs => $3)
       and not (disregarded is not distinct from 'before_start' and dated_at < (
         select dated_at from balance_entries first
         where first.account = $1 and first.currency = entries.currency and first.position = 1))
       and not exists (select from booked_entries booked where booked.account = $1 and booked.currency = entries.currency
         and booked.entry_id = entries.entry_id and booked.day < $2::date)
     order by currency, position, entry_id`,
    [account, day, afterEndMs / 1_000],
  );
  return rows;
}

/** How many entries are compared for the day, about: those that are dated on it, and those that the day before left open. */
export async function readDaySize(database: Queryable, { account, day }: FactRange): Promise<number> {
  const { rows } = await database.query<{ size: number }>(
    `select (select count(*) from balance_entries where account = $1 and dated_at >= $2::date::timestamp at time zone 'UTC'
         and dated_at < ${END_OF_DAY})
       + coalesce((select jsonb_array_length(carried -> 'movements') from book_days
         where account = $1 and day = $2::date - 1), 0) as size`,
    [account, day],
  );
  return rows[0]?.size ?? 0;
}

/** What the provider showed as a balance after the end of the day, and the balance by the history at that time. */
export interface ShownBalance {
  currency: string;
  balance: string;
  byHistory: string;
}

/** Nothing was dated so shortly before or after the balance was read, and the history was read after that. */
const QUIET = '15 seconds';

/** Only balances that can be compared: the history is followed, and was read later. */
export async function readShownBalances(database: Queryable, { account, day }: FactRange): Promise<ShownBalance[]> {
  const { rows } = await database.query<ShownBalance>(
    `select snapshots.currency, snapshots.amount::text as balance, last.amount_after::text as "byHistory"
     from balance_snapshots snapshots
     join balance_chains chains on chains.account = snapshots.account and chains.currency = snapshots.currency and gap_until is null
     cross join lateral (
       select amount_after from balance_entries entries
       where entries.account = $1 and entries.currency = snapshots.currency and position is not null
         and dated_at <= snapshots.read_at
       order by position desc limit 1) as last
     where snapshots.account = $1 and snapshots.read_at >= ${END_OF_DAY}
       and exists (select from history_ranges where account = $1 and not is_gap and read_at >= snapshots.read_at + interval '${QUIET}')
       and not exists (select from balance_entries entries where entries.account = $1 and entries.currency = snapshots.currency
         and dated_at between snapshots.read_at - interval '${QUIET}' and snapshots.read_at + interval '${QUIET}')`,
    [account, day],
  );
  return rows;
}

/** The day of the first entry of the history; null: there is none. */
export async function readFirstDay(database: Queryable, account: string): Promise<string | null> {
  const { rows } = await database.query<{ day: string | null }>(
    `select to_char(min(dated_at) at time zone 'UTC', 'YYYY-MM-DD') as day from balance_entries
     where account = $1 and position is not null`,
    [account],
  );
  return rows[0]?.day ?? null;
}
