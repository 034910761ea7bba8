import { readInstant } from '../instant.ts';
import { canonicalAmount } from '../money.ts';
import type { HistoryEntry } from './history-entry.ts';
import { HistoryChain, type HistoryGap } from './history-chain.ts';
import type { DatedLink } from './history-group.ts';

/** The entries of one account and currency in order. Every list is the same for every order of the input. */
export interface OrderedHistory<Entry extends HistoryEntry> {
  /** Each once, in order. */
  readonly entries: Entry[];
  /** Where the balance after one entry is not the balance before the next. */
  readonly gaps: HistoryGap<Entry>[];
  /** Listed again under the same id with the same balances, as overlapping ranges do. */
  readonly repeated: Entry[];
  /** Listed again under the same id with other balances: one of them is wrong. */
  readonly conflicting: { entry: Entry; other: Entry }[];
  /** Equal to another entry in all but the id, and the chain is complete only without it. */
  readonly copies: Entry[];
}

export interface HistoryOrderOptions {
  /** The balance before the first entry, a decimal string; null if it is not known. */
  opening?: string | null;
  /** Entries whose dates differ by no more may be in the opposite order, if that closes the chain. */
  inversionMs?: number;
}

/** Entries of one date, or nearly, may be out of order by so much. */
export const INVERSION_MS = 2_000;

/**
 * Orders entries by date, and those of equal dates by their balances before and after.
 *
 * Guaranteed: if the entries of each date can be ordered so that the chain is complete, it is; the result does not depend
 * on the order of the input. Equal amounts to and fro (+10, −10, +10 at one date) can be ordered in several ways: then
 * the order is one of those, chosen by the entries' ids. The balance before the first and after the last entry of a date
 * are the same in all of them.
 * An entry whose date cannot be read is placed last.
 * Linear in the entries, besides sorting.
 * @throws RangeError if the entries have several currencies
 */
export function orderHistory<Entry extends HistoryEntry>(
  history: Iterable<Entry>,
  { opening = null, inversionMs = INVERSION_MS }: HistoryOrderOptions = {},
): OrderedHistory<Entry> {
  const { groups, repeated, conflicting } = groupByDate(history);
  const chain = new HistoryChain<Entry>(opening === null ? null : canonicalAmount(opening), inversionMs);
  chain.addAll(groups);
  return { ...chain.result(), repeated, conflicting };
}

/** The entries by their dates, each once, and those that are listed again. @throws RangeError, see `orderHistory` */
export function groupByDate<Entry extends HistoryEntry>(
  history: Iterable<Entry>,
): Omit<Repeats<Entry>, 'kept'> & { groups: DatedLink<Entry>[][] } {
  const links = [...history].map(linkOf).sort(byDateAndId);
  const currencies = new Set(links.map(({ entry }) => entry.currency));
  if (currencies.size > 1) throw new RangeError(`a chain has one currency, not ${[...currencies].join(', ')}`);
  const { kept, repeated, conflicting } = withoutRepeats(links);
  return { groups: groupsByDate(kept), repeated, conflicting };
}

/** Whether the entries lead from one balance to the other, without a gap or a contradiction. Amounts are decimal strings. */
export function isChainComplete(
  { entries, gaps, conflicting }: OrderedHistory<HistoryEntry>,
  from: string,
  to: string,
): boolean {
  if (gaps.length > 0 || conflicting.length > 0) return false;
  const [first, last] = [entries.at(0)?.amountBefore ?? from, entries.at(-1)?.amountAfter ?? from];
  return canonicalAmount(first) === canonicalAmount(from) && canonicalAmount(last) === canonicalAmount(to);
}

function linkOf<Entry extends HistoryEntry>(entry: Entry): DatedLink<Entry> {
  const dateMs = typeof entry.date === 'number' ? entry.date : (readInstant(entry.date) ?? Infinity);
  return { entry, dateMs, from: canonicalAmount(entry.amountBefore), to: canonicalAmount(entry.amountAfter) };
}

/** A total order, so that the result does not depend on the order of the input. */
function byDateAndId<Entry extends HistoryEntry>(a: DatedLink<Entry>, b: DatedLink<Entry>): number {
  if (a.dateMs !== b.dateMs) return a.dateMs < b.dateMs ? -1 : 1;
  return compareTexts(a.entry.entryId, b.entry.entryId) || compareTexts(a.from, b.from) || compareTexts(a.to, b.to);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type Repeats<Entry extends HistoryEntry> = Pick<OrderedHistory<Entry>, 'repeated' | 'conflicting'> & {
  kept: DatedLink<Entry>[];
};

/** The first of each id is kept. */
function withoutRepeats<Entry extends HistoryEntry>(links: readonly DatedLink<Entry>[]): Repeats<Entry> {
  const byId = new Map<string, DatedLink<Entry>>();
  const result: Repeats<Entry> = { kept: [], repeated: [], conflicting: [] };
  for (const link of links) {
    const known = byId.get(link.entry.entryId);
    if (known === undefined) {
      byId.set(link.entry.entryId, link);
      result.kept.push(link);
    } else if (known.from === link.from && known.to === link.to) {
      result.repeated.push(link.entry);
    } else {
      result.conflicting.push({ entry: known.entry, other: link.entry });
    }
  }
  return result;
}

function groupsByDate<Entry extends HistoryEntry>(links: readonly DatedLink<Entry>[]): DatedLink<Entry>[][] {
  const groups: DatedLink<Entry>[][] = [];
  for (const link of links) {
    const group = groups.at(-1);
    if (group?.[0]?.dateMs === link.dateMs) group.push(link);
    else groups.push([link]);
  }
  return groups;
}
