import type { HistoryEntry } from '../accounts/history-entry.ts';
import { type DatedLink, openingOf } from '../accounts/history-group.ts';
import {
  groupByDate,
  type HistoryOrderOptions,
  INVERSION_MS,
  isChainComplete,
  type OrderedHistory,
} from '../accounts/history-order.ts';
import { looseEnds } from '../accounts/history-trails.ts';
import { dayOf } from '../calendar-date.ts';
import { canonicalAmount } from '../money.ts';
import { dateOf, type Movement } from './movement.ts';
import { PostingChain, type PostingTerms } from './posting-chain.ts';

/** The entries of one account and currency in the order in which they changed the balance. */
export interface PostedHistory<Entry extends HistoryEntry> extends OrderedHistory<Entry> {
  /** Continue the chain nowhere, while it is complete without them. */
  readonly strays: Entry[];
}

/**
 * Orders entries as `orderHistory`, but looks at the whole history at once: an entry that was posted later than it is dated is
 * placed where it continues the chain. (While entries are being stored that would be guessing, as others may still come.)
 * Linear in the entries, besides sorting.
 * @throws RangeError if the entries have several currencies
 */
export function orderByPosting<Entry extends HistoryEntry>(
  history: Iterable<Entry>,
  { opening = null, inversionMs = INVERSION_MS }: HistoryOrderOptions = {},
): PostedHistory<Entry> {
  const { groups, repeated, conflicting } = groupByDate(history);
  const [first, ...otherOpenings] = opening === null ? openingsOf(groups) : [canonicalAmount(opening)];
  let result = orderFrom(groups, first ?? null, inversionMs);
  for (const other of otherOpenings) {
    const from = orderFrom(groups, other, inversionMs);
    if (contradictionsOf(from) < contradictionsOf(result)) result = from;
  }
  const { entries, gaps, copies } = result;
  const { alike, others } = apartFrom(entries, result.strays);
  return { entries, gaps, copies: [...copies, ...alike], strays: others, repeated, conflicting };
}

/**
 * The entries of one currency that are of a day: those that changed the balance before the first one that is dated later. What
 * was posted on a later day than it is dated is of that day. `movements` has what is known of the next hours as well, which
 * tells where the day ends; it is in no order.
 */
export function entriesOfDay<Entry extends Movement>(
  movements: readonly Entry[],
  day: string,
  opening: string | null,
): Entry[] {
  const isLater = (entry: Entry): boolean => {
    const dateMs = dateOf(entry);
    return dateMs !== null && dayOf(dateMs) > day;
  };
  if (!movements.some(isLater)) return [...movements];
  const { entries, strays, copies, repeated, conflicting } = orderByPosting(movements, { opening });
  const end = entries.findIndex(isLater);
  const unplaced = [...strays, ...copies, ...repeated, ...conflicting.map(({ other }) => other)];
  return [...(end === -1 ? entries : entries.slice(0, end)), ...unplaced.filter((entry) => !isLater(entry))];
}

type ChainResult<Entry extends HistoryEntry> = ReturnType<PostingChain<Entry>['result']>;

function orderFrom<Entry extends HistoryEntry>(
  groups: readonly DatedLink<Entry>[][],
  opening: string | null,
  inversionMs: number,
): ChainResult<Entry> {
  const chainWith = (terms: Pick<PostingTerms<Entry>, 'fixed' | 'keepsCopies'>): PostingChain<Entry> =>
    new PostingChain<Entry>({ opening, inversionMs, ...terms }).addAll(groups);
  const first = chainWith({});
  let result = first.result();
  // Perhaps entries are missing, and a balance was reached again by chance: then these have their places.
  if (result.strays.length > 0) result = better(result, chainWith({ fixed: new Set(result.strays) }).result());
  // Perhaps an entry that was posted late leads back between two equal ones.
  if (result.copies.length > 0 && result.gaps.length + result.strays.length > 0) {
    result = better(result, chainWith({ keepsCopies: true }).result());
  }
  // Perhaps entries were posted late among so many others that their dates tell no place. The balances still do.
  return result.gaps.length + result.strays.length > 1 ? better(first.result({ byBalances: true }), result) : result;
}

/** So that a broken history takes no longer than a few times as long. */
const MAX_OPENINGS = 6;

/**
 * What the balance before the first entry can have been: what the first dates tell, or, as the first one may have been posted
 * late, a balance that more entries begin with than end.
 */
function openingsOf(groups: readonly DatedLink<HistoryEntry>[][]): (string | null)[] {
  const { beginnings } = looseEnds(groups.flat(), null);
  return [...new Set([openingOf(groups), ...beginnings])].slice(0, MAX_OPENINGS);
}

/** The one with fewer contradictions, of equal ones the second. */
function better<Entry extends HistoryEntry>(one: ChainResult<Entry>, other: ChainResult<Entry>): ChainResult<Entry> {
  return contradictionsOf(other) <= contradictionsOf(one) ? other : one;
}

function contradictionsOf({ gaps, strays, copies }: ChainResult<HistoryEntry>): number {
  return gaps.length + strays.length + copies.length;
}

/** Those that another entry is like, listed again with another date, and the others. */
function apartFrom<Entry extends HistoryEntry>(
  entries: readonly Entry[],
  strays: readonly Entry[],
): { alike: Entry[]; others: Entry[] } {
  if (strays.length === 0) return { alike: [], others: [] };
  const contentOf = ({ amountBefore, amountAfter, type }: Entry): string =>
    JSON.stringify([canonicalAmount(amountBefore), canonicalAmount(amountAfter), type]);
  const contents = new Set(entries.map(contentOf));
  const isAlike = (entry: Entry): boolean => contents.has(contentOf(entry));
  return { alike: strays.filter(isAlike), others: strays.filter((entry) => !isAlike(entry)) };
}

/** Whether the entries lead from one balance to the other, and none is left. Amounts are decimal strings. */
export function isPostingComplete(history: PostedHistory<HistoryEntry>, from: string, to: string): boolean {
  return history.strays.length === 0 && isChainComplete(history, from, to);
}
