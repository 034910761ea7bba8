import type { BookedDay, BroughtForward } from '../../domain/reconciliation/book-day.ts';
import { addDays } from '../../domain/calendar-date.ts';
import type { ClassLine } from '../../domain/reconciliation/entry-class.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { FactRange } from '../accounts/fact-sources.ts';
import type { TokenHash } from '../users/token-hash.ts';

export type BookDayState = 'matched' | 'signed' | 'closed';

/** A line as it is kept: class, amount, fact, form, and whether it may belong to other entries as well. */
export type KeptLine = [ClassLine['entryClass'], string, string | null, string | null, boolean];

export interface DayBefore {
  /** What it left open. */
  carried: BroughtForward;
  /** To the microsecond: it is the same one for as long as this is. */
  reconciledAt: string;
}

/** Null: the day before was not reconciled, or has to be again. */
export async function readDayBefore(database: Queryable, { account, day }: FactRange): Promise<DayBefore | null> {
  const { rows } = await database.query<DayBefore>(
    `select carried, reconciled_at::text as "reconciledAt" from book_days this where account = $1 and day = $2::date
       and not exists (select from book_days earlier
         where earlier.account = $1 and earlier.day < this.day and earlier.reconciled_at > this.reconciled_at)`,
    [account, addDays(day, -1)],
  );
  return rows[0] ?? null;
}

export interface ReconciledDays {
  last: string | null;
  /** Also if it is open again: its books stay as they are. */
  lastClosed: string | null;
  /** As `is_outdated` of the database: the first one before which a day was reconciled after it. */
  outdated: string | null;
}

export async function readReconciledDays(database: Queryable, account: string): Promise<ReconciledDays> {
  const { rows } = await database.query<ReconciledDays>(
    `select max(day)::text as last, (max(day) filter (where closed_at is not null))::text as "lastClosed",
       (min(day) filter (where reconciled_at < earlier))::text as outdated
     from (
       select day, closed_at, reconciled_at,
         max(reconciled_at) over (order by day rows between unbounded preceding and 1 preceding) as earlier
       from book_days where account = $1
     ) as days`,
    [account],
  );
  return rows[0] ?? { last: null, lastClosed: null, outdated: null };
}

/** The last UTC day, YYYY-MM-DD, that has ended so long ago, by the clock of the database. */
export async function readLastSeenDay(database: Queryable, seenAfterMs: number): Promise<string> {
  const { rows } = await database.query<{ day: string }>(
    `select (((clock_timestamp() - make_interval(secs => $1::float8 / 1000)) at time zone 'UTC')::date - 1)::text as day`,
    [seenAfterMs],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a statement without a table gave no row');
  return row.day;
}

/**
 * False: the day, or one after it, is closed. `carriedFrom`: when the day before was reconciled that this one was computed from.
 * Fails if that was done again meanwhile (compute it again), and while the day is not over.
 */
export async function storeBookDay(
  database: Database,
  { account, day }: FactRange,
  { booked, carriedFrom }: { booked: BookedDay; carriedFrom: string | null },
): Promise<boolean> {
  const { rows } = await database.query<{ stored: boolean }>(
    'select store_book_day($1, $2::date, $3::jsonb) as stored',
    [account, day, JSON.stringify({ ...bookOf(booked), carriedFrom })],
  );
  return rows[0]?.stored === true;
}

function bookOf({ reconciliation, entries, books, lines, closedFacts, carried, contentHash }: BookedDay) {
  const complete = new Set(
    reconciliation.chains.filter(({ isComplete }) => isComplete).map(({ currency }) => currency),
  );
  const linesOf = linesByEntry(reconciliation, lines);
  const places = new Map(
    books.flatMap((book) => book.entries.map(({ entryId }, place) => [keyOf(book.currency, entryId), place + 1])),
  );
  return {
    matched: reconciliation.matched.length,
    contentHash,
    carried,
    facts: closedFacts,
    balances: books.map(({ currency, opening, closing, totals, late, reclassified, historyHash, ...book }) => ({
      ...{ currency, opening, closing, totals, late, reclassified },
      entries: book.entries.length,
      is_complete: complete.has(currency),
      history_hash: historyHash,
      content_hash: book.contentHash,
    })),
    entries: entries.map(({ currency, entryId }) => ({
      currency,
      entry_id: entryId,
      place: places.get(keyOf(currency, entryId)) ?? null,
      lines: linesOf.get(keyOf(currency, entryId)) ?? [],
    })),
    breaks: reconciliation.breaks.map(({ breakId, type, currency, factIds, entryIds, expected, found, ...rest }) => ({
      ...{ digest: breakId, type, currency, expected, found, reason: rest.reason },
      fact_ids: factIds,
      entry_ids: entryIds,
      is_interchangeable: rest.isAmbiguous,
    })),
  };
}

function linesByEntry({ matched }: BookedDay['reconciliation'], lines: readonly ClassLine[]): Map<string, KeptLine[]> {
  const matches = new Map(matched.flatMap((match) => match.movements.map((movement) => [movement, match])));
  const byEntry = new Map<string, KeptLine[]>();
  for (const { movement, entryClass, amount, factId } of lines) {
    const { form = null, isAmbiguous = false } = matches.get(movement) ?? {};
    const key = keyOf(movement.currency, movement.entryId);
    const line: KeptLine = [entryClass, amount, factId, form, isAmbiguous];
    const known = byEntry.get(key);
    if (known === undefined) byEntry.set(key, [line]);
    else known.push(line);
  }
  return byEntry;
}

function keyOf(currency: string, entryId: string): string {
  return `${currency} ${entryId}`;
}

/** @throws Refused unless the books are those with this hash, and may be signed */
export async function signBookDayAs(
  database: Database,
  tokenHash: TokenHash,
  { account, day, contentHash }: FactRange & { contentHash: string },
): Promise<{ state: BookDayState }> {
  return callAsUser(database, 'sign_book_day($1, $2, $3::date, $4)', [tokenHash.bytes, account, day, contentHash]);
}

/** @throws Refused unless the history of the currency begins with this amount, a decimal string */
export async function signOpeningAs(
  database: Database,
  tokenHash: TokenHash,
  { account, currency, amount }: { account: string; currency: string; amount: string },
): Promise<void> {
  await callAsUser(database, 'sign_opening($1, $2, $3, $4::numeric)', [tokenHash.bytes, account, currency, amount]);
}
