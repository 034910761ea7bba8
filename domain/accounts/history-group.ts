import type { HistoryEntry } from './history-entry.ts';
import { type Link, looseEnds, type Trail, trailsOf } from './history-trails.ts';

export interface DatedLink<Entry extends HistoryEntry> extends Link {
  readonly entry: Entry;
  /** Infinity if the date cannot be read. */
  readonly dateMs: number;
}

/** Entries of one date, or of dates close to each other that had to be ordered together. */
export interface Group<Entry extends HistoryEntry> {
  readonly links: readonly DatedLink<Entry>[];
  readonly trails: readonly Trail<DatedLink<Entry>>[];
  readonly copies: readonly DatedLink<Entry>[];
  /** The balance before it, as far as it is known. */
  readonly start: string | null;
}

export function orderGroup<Entry extends HistoryEntry>(
  links: readonly DatedLink<Entry>[],
  start: string | null,
): Group<Entry> {
  return { links, trails: links.length === 1 ? [[...links]] : trailsOf(links, start), copies: [], start };
}

export function isConsistent({ trails, start }: Group<HistoryEntry>): boolean {
  return trails.length === 1 && (start === null || trails[0]?.[0]?.from === start);
}

/**
 * The group without entries that are listed twice, if it is consistent without them. Two equal entries at one date are
 * right only if another leads back between them, so each copy too many shows at both of its balances.
 */
export function withoutCopies<Entry extends HistoryEntry>(group: Group<Entry>): Group<Entry> {
  const { beginnings, ends } = looseEnds(group.links, null);
  const [tooManyFrom, tooManyTo] = [countsOf(beginnings), countsOf(ends)];
  const seen = new Set<string>();
  const copies = new Set<DatedLink<Entry>>();
  for (const link of group.links) {
    const content = JSON.stringify([link.from, link.to, link.entry.type]);
    const isAgain = seen.has(content);
    seen.add(content);
    if (!isAgain) continue;
    const [from, to] = [tooManyFrom.get(link.from) ?? 0, tooManyTo.get(link.to) ?? 0];
    if (from === 0 || to === 0) continue;
    tooManyFrom.set(link.from, from - 1);
    tooManyTo.set(link.to, to - 1);
    copies.add(link);
  }
  if (copies.size === 0) return group;
  const rest = orderGroup(
    group.links.filter((link) => !copies.has(link)),
    group.start,
  );
  return isConsistent(rest) ? { ...rest, copies: [...copies] } : group;
}

function countsOf(balances: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const balance of balances) counts.set(balance, (counts.get(balance) ?? 0) + 1);
  return counts;
}

/**
 * The balance before the first entry, if the links tell. Entries of a date that lead back to where they began could begin
 * anywhere: then those of later dates tell, as all of them pass through the same balance.
 */
export function openingOf(groups: readonly Link[][]): string | null {
  let candidates: string[] | null = null;
  for (const links of groups) {
    const [beginning, ...others] = looseEnds(links, null).beginnings;
    if (others.length > 0) break;
    const balances = new Set(links.map(({ from }) => from));
    const known: string[] = candidates ?? [...balances];
    if (beginning !== undefined)
      return candidates === null || known.includes(beginning) ? beginning : (known[0] ?? null);
    candidates = known.filter((balance) => balances.has(balance));
    if (candidates.length === 0) return known[0] ?? null;
  }
  return candidates?.[0] ?? null;
}
