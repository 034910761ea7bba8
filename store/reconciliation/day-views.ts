import { UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import type { BroughtForward } from '../../domain/reconciliation/book-day.ts';
import type { ComputedDay } from '../../domain/reconciliation/compute-day.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import type { BookDayState, KeptLine } from './book-days.ts';

export interface BooksView extends Pick<ComputedDay, 'currency' | 'totals' | 'late' | 'reclassified'> {
  opening: string;
  closing: string;
  entryCount: number;
  isComplete: boolean;
  historyHash: string;
  contentHash: string;
}

export interface BookDayView {
  account: string;
  day: string;
  state: BookDayState;
  reconciledAt: Date;
  matched: number;
  contentHash: string;
  signedBy: { userId: string; name: string } | null;
  signedAt: Date | null;
  closedAt: Date | null;
  /** Of the day that are not closed, by type. */
  openBreaks: Record<string, number>;
  books: BooksView[];
}

export interface BookDayFilter {
  /** Null: of all. */
  accounts: readonly string[] | null;
  /** UTC, YYYY-MM-DD, the last included; null: no bound. */
  fromDay: string | null;
  toDay: string | null;
  /** Only days that are not closed. */
  isOpen: boolean;
  /** Of each account. */
  limit: number;
}

/** The latest days of each account, in their order. */
export async function listBookDays(database: Queryable, filter: BookDayFilter): Promise<BookDayView[]> {
  const { rows } = await database.query<BookDayView>(
    `with latest as (
       select account, day from (
         select account, day, row_number() over (partition by account order by day desc) as place from book_days
         where ($1::text[] is null or account = any($1)) and ($2::date is null or day >= $2::date) and ($3::date is null or day <= $3::date)
           and (not $5 or state <> 'closed')) as placed
       where place <= $4)
     select * from (
       select account, day::text as day, state, reconciled_at as "reconciledAt", matched, content_hash as "contentHash",
         case when signed_by is not null then jsonb_build_object('userId', signed_by, 'name', users.name) end as "signedBy",
         signed_at as "signedAt", case when state = 'closed' then closed_at end as "closedAt",
         coalesce((select jsonb_object_agg(type, number) from (select type, count(*) as number from reconciliation_breaks breaks
           where breaks.account = book_days.account and breaks.day = book_days.day and breaks.state in (${sqlList(UNRESOLVED_BREAK_STATES)})
           group by type) as counted), '{}') as "openBreaks",
         coalesce((select jsonb_agg(jsonb_build_object('currency', currency, 'opening', opening::text, 'closing', closing::text,
             'entryCount', entries, 'isComplete', is_complete, 'totals', totals, 'late', late, 'reclassified', reclassified,
             'historyHash', history_hash, 'contentHash', book.content_hash) order by currency)
           from book_balances book where book.account = book_days.account and book.day = book_days.day), '[]') as books
       from latest join book_days using (account, day) left join users on user_id = signed_by
     ) as days order by day, account`,
    [filter.accounts, filter.fromDay, filter.toDay, filter.limit, filter.isOpen],
  );
  return rows;
}

/** An entry of the books of a day, in the order of the history. */
export interface BookedEntryView extends Movement {
  date: number;
  lines: KeptLine[];
}

export async function listBookedEntries(
  database: Queryable,
  { account, day }: { account: string; day: string },
): Promise<BookedEntryView[]> {
  const { rows } = await database.query<BookedEntryView>(
    `select entry_id as "entryId", currency, amount_before::text as "amountBefore", amount_after::text as "amountAfter",
       transaction_type as type, transaction_id as "transactionId", (extract(epoch from dated_at) * 1000)::float8 as date, lines
     from booked_entries join balance_entries using (account, currency, entry_id)
     where account = $1 and day = $2::date and place is not null order by currency, place`,
    [account, day],
  );
  return rows;
}

/** What was still open at the end of a day. */
export async function readLeftOpen(
  database: Queryable,
  { account, day }: { account: string; day: string },
): Promise<{ facts: readonly Fact[]; entries: readonly Movement[] }> {
  const { rows } = await database.query<{ carried: BroughtForward }>(
    'select carried from book_days where account = $1 and day = $2::date',
    [account, day],
  );
  const carried = rows[0]?.carried;
  if (carried === undefined) return { facts: [], entries: [] };
  const entries = carried.movements.filter(({ entryId }) => entryId in carried.openOn);
  return { facts: carried.facts, entries };
}
