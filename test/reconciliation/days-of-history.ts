import type { HistoryEntry } from '../../domain/accounts/history-entry.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { booksOfDay, type DayOfBooks } from '../../domain/reconciliation/compute-day.ts';
import { append, dateOf } from '../../domain/reconciliation/movement.ts';
import { isPostingComplete, orderByPosting, type PostedHistory } from '../../domain/reconciliation/posting-order.ts';

/** What the days of the books have to be, from the provider's history alone. */

/**
 * Divides an ordered, complete history into days. An entry belongs to the day on which it changed the balance: one that was
 * posted later than it is dated belongs to the day of the entry before it in the chain, as the day of its date may be closed.
 * Days without entries are left out.
 */
export function daysOfBooks<Entry extends HistoryEntry>(
  { entries }: PostedHistory<Entry>,
  currency: string,
  firstDay: string,
): DayOfBooks<Entry>[] {
  const days = new Map<string, Entry[]>();
  let day = firstDay;
  for (const entry of entries) {
    const dateMs = dateOf(entry);
    const own = dateMs === null ? day : dayOf(dateMs);
    if (own > day) day = own;
    const sameDay = days.get(day);
    if (sameDay === undefined) days.set(day, [entry]);
    else sameDay.push(entry);
  }
  let balance = entries[0]?.amountBefore ?? '0';
  return [...days].map(([name, sameDay]) => {
    const books = booksOfDay(currency, name, balance, sameDay);
    balance = books.closing;
    return books;
  });
}

/** A closed day that the history does not show as it was closed, or a day with entries that is not closed. */
export interface ReplayDifference {
  readonly day: string;
  readonly isClosed: boolean;
}

/** An entry of the stored history, with the day in whose books it is: the day of its date unless that was closed before. */
export type BookedEntry = HistoryEntry & { bookedOn: string };

/**
 * Computes the days of a period again from the history alone, in any order, and compares their hashes with those of the closed
 * days. Empty if each is the same, its entries lead from its opening to its closing, and it begins where the day before ended.
 */
export function replayDays(
  closed: readonly Pick<DayOfBooks, 'day' | 'currency' | 'opening' | 'closing' | 'historyHash'>[],
  history: Iterable<BookedEntry>,
): ReplayDifference[] {
  const byDay = new Map<string, BookedEntry[]>();
  for (const entry of history) append(byDay, entry.bookedOn, entry);
  const differences: ReplayDifference[] = [];
  let balance: string | null = null;
  for (const { day, currency, opening, closing, historyHash } of [...closed].sort(byDayName)) {
    const ordered = orderByPosting(byDay.get(day) ?? [], { opening });
    const isSame =
      isPostingComplete(ordered, opening, closing) &&
      (balance === null || balance === opening) &&
      booksOfDay(currency, day, opening, ordered.entries).historyHash === historyHash;
    if (!isSame) differences.push({ day, isClosed: true });
    byDay.delete(day);
    balance = closing;
  }
  return [...differences, ...[...byDay.keys()].map((day) => ({ day, isClosed: false }))];
}

function byDayName(a: { day: string }, b: { day: string }): number {
  return a.day < b.day ? -1 : 1;
}
