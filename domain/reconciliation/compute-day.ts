import type { HistoryEntry } from '../accounts/history-entry.ts';
import { dayOf } from '../calendar-date.ts';
import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { addAmounts, canonicalAmount, compareAmounts, subtractAmounts } from '../money.ts';
import { ENTRY_CLASSES, type ClassLine, type EntryClass } from './entry-class.ts';
import { dateOf, type Movement } from './movement.ts';

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

function changeOf({ amountAfter, amountBefore }: HistoryEntry): string {
  return canonicalAmount(subtractAmounts(amountAfter, amountBefore));
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
