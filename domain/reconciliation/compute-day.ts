import type { HistoryEntry } from '../accounts/history-entry.ts';
import { isPostingComplete, type PostedHistory, orderByPosting } from './posting-order.ts';
import { dayOf } from '../calendar-date.ts';
import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { addAmounts, canonicalAmount, compareAmounts, subtractAmounts } from '../money.ts';
import { ENTRY_CLASSES, type ClassLine, type EntryClass } from './entry-class.ts';
import { append, dateOf, type Movement } from './movement.ts';

/** The books of one account and currency on one day. Days are UTC, YYYY-MM-DD; amounts canonical decimal strings. */
export interface DayOfBooks<Entry extends HistoryEntry = HistoryEntry> {
  readonly currency: string;
  readonly day: string;
  readonly opening: string;
  readonly closing: string;
  readonly entries: readonly Entry[];
  /** Depends on the history alone, and not on the order of entries of one date. */
  readonly historyHash: string;
}

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

/** The books of a day with these entries, in order; it may have none. Amounts are decimal strings. */
export function booksOfDay<Entry extends HistoryEntry>(
  currency: string,
  day: string,
  openingBalance: string,
  entries: readonly Entry[],
): DayOfBooks<Entry> {
  const [opening, closing] = [openingBalance, entries.at(-1)?.amountAfter ?? openingBalance].map(canonicalAmount) as [
    string,
    string,
  ];
  const contents = entries
    .map((entry) => [entry.entryId, dateOf(entry), ...[entry.amountBefore, entry.amountAfter].map(canonicalAmount)])
    .sort(([a], [b]) => compareTexts(String(a), String(b)));
  const historyHash = contentSha256(canonicalJson([currency, day, opening, closing, contents]));
  return { currency, day, opening, closing, entries, historyHash };
}

/** What an entry of a closed day turned out to be: the day keeps its books, and the later day has the correction. */
export interface Reclassification {
  readonly entryId: string;
  readonly ofDay: string;
  readonly from: EntryClass;
  readonly to: EntryClass;
  readonly amount: string;
}

export interface ComputedDay extends DayOfBooks<Movement> {
  readonly account: string;
  /** In the order of the classes; the opening and all amounts are the closing. */
  readonly totals: readonly { entryClass: EntryClass; count: number; amount: string }[];
  /** Entries of this day that are dated on an earlier one. */
  readonly late: readonly { entryId: string; ofDay: string; amount: string }[];
  readonly reclassified: readonly Reclassification[];
  /** Of all of it. */
  readonly contentHash: string;
}

/**
 * Computes the books of a day; it is closed when people have signed them (`sign_book_day`). `lines` are those of its entries, in
 * any order.
 * @throws RangeError if the entries do not add up to the opening and the totals of the classes: one of them has no class, or two
 */
export function computeDay(
  account: string,
  books: DayOfBooks<Movement>,
  lines: readonly ClassLine[],
  reclassified: readonly Reclassification[] = [],
): ComputedDay {
  const { currency, day, opening, closing, historyHash } = books;
  const own = new Set(books.entries.map(({ entryId }) => entryId));
  const ownLines = lines.filter(({ movement }) => movement.currency === currency && own.has(movement.entryId));
  const classed = ownLines.reduce((sum, { amount }) => addAmounts(sum, amount), opening);
  const changed = books.entries.reduce((sum, entry) => addAmounts(sum, changeOf(entry)), opening);
  if (compareAmounts(classed, changed) !== 0) {
    throw new RangeError(
      `${currency} on ${day}: opening and classes are ${classed}, and its entries lead to ${changed}`,
    );
  }
  const totals = totalsOf(ownLines, reclassified, subtractAmounts(closing, changed));
  const late = books.entries.flatMap((entry) => {
    const dateMs = dateOf(entry);
    const ofDay = dateMs === null ? day : dayOf(dateMs);
    const amount = changeOf(entry);
    return ofDay < day ? [{ entryId: entry.entryId, ofDay, amount }] : [];
  });
  const classes = ownLines
    .map(({ movement, entryClass, amount, factId }) => [movement.entryId, entryClass, amount, factId])
    .map((line) => ({ line, text: JSON.stringify(line) }))
    .sort((a, b) => compareTexts(a.text, b.text))
    .map(({ line }) => line);
  const content = [account, historyHash, classes, totals, late, reclassified];
  return { ...books, account, totals, late, reclassified, contentHash: contentSha256(canonicalJson(content)) };
}

function totalsOf(
  lines: readonly ClassLine[],
  reclassified: readonly Reclassification[],
  notInHistory: string,
): ComputedDay['totals'] {
  const totals = new Map<EntryClass, { count: number; amount: string }>();
  const add = (entryClass: EntryClass, amount: string, count: number): void => {
    const total = totals.get(entryClass) ?? { count: 0, amount: '0' };
    totals.set(entryClass, { count: total.count + count, amount: addAmounts(total.amount, amount) });
  };
  for (const { entryClass, amount } of lines) add(entryClass, amount, 1);
  for (const { from, to, amount } of reclassified) {
    add(from, canonicalAmount(amount.startsWith('-') ? amount.slice(1) : `-${amount}`), 0);
    add(to, amount, 0);
  }
  if (compareAmounts(notInHistory, '0') !== 0) add('not_in_history', notInHistory, 0);
  return ENTRY_CLASSES.flatMap((entryClass) => {
    const total = totals.get(entryClass);
    return total === undefined ? [] : [{ entryClass, ...total, amount: canonicalAmount(total.amount) }];
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
  return compareTexts(a.day, b.day);
}

export type OpeningProof =
  | { by: 'history_from_zero' | 'signed_balance'; opening: string }
  | { by: null; reason: string };

/**
 * What proves the first balance of the books: a complete history that begins with zero, or a balance that somebody signed and that
 * the first entry begins with.
 */
export function proveOpening(history: PostedHistory<HistoryEntry>, signedBalance: string | null): OpeningProof {
  const [first] = history.entries;
  if (first === undefined) return { by: null, reason: 'There is no entry yet.' };
  const last = history.entries.at(-1) ?? first;
  const before = canonicalAmount(first.amountBefore);
  const isComplete = isPostingComplete(history, first.amountBefore, last.amountAfter);
  if (before === '0' && isComplete) return { by: 'history_from_zero', opening: before };
  if (signedBalance === null) {
    return {
      by: null,
      reason: `The history begins with ${before}: a signed opening balance is needed.`,
    };
  }
  if (canonicalAmount(signedBalance) === before) return { by: 'signed_balance', opening: before };
  return {
    by: null,
    reason: `The history begins with ${before}, and the signed balance is ${canonicalAmount(signedBalance)}.`,
  };
}

function changeOf({ amountAfter, amountBefore }: HistoryEntry): string {
  return canonicalAmount(subtractAmounts(amountAfter, amountBefore));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
