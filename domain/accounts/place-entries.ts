import type { HistoryEntry } from './history-entry.ts';
import { canonicalAmount } from '../money.ts';
import { type OrderedHistory, orderHistory } from './history-order.ts';

/** An entry as it is kept. Amounts are decimal strings. */
export interface KeptEntry extends HistoryEntry {
  date: number;
}

/** The end of what is in order, as far as new entries may belong before it. */
export interface ChainEnd<Entry extends KeptEntry> {
  /** The position of the first entry of `tail`, or of the next entry. */
  from: number;
  /** The balance before it; null: nothing is known, so the first entry begins the chain. */
  balance: string | null;
  /** Entries that have their place, in order. */
  tail: readonly Entry[];
}

/** Entries in order from a position on, and what is left. */
export interface Placement<Entry extends KeptEntry> {
  from: number;
  order: Entry[];
  /** Listed again under another id, so that they do not count. */
  copies: Entry[];
  /** When the first entry is dated that cannot be reached, since one before it is missing; null: there is none. */
  gapUntilMs: number | null;
}

/**
 * The place of new entries. They usually follow the last one. If one became visible late, it and the entries at the end are
 * put into order together; nothing that has a place loses it.
 */
export function placeEntries<Entry extends KeptEntry>(
  end: ChainEnd<Entry>,
  candidates: readonly Entry[],
): Placement<Entry> {
  const { from, balance, tail } = end;
  const together = reachable(orderHistory([...tail, ...candidates], { opening: balance }));
  const reached = new Set(together.order.map(({ entryId }) => entryId));
  if (tail.every(({ entryId }) => reached.has(entryId))) {
    return { from, ...together, gapUntilMs: firstMissed(candidates, together) };
  }
  const after = reachable(orderHistory(candidates, { opening: tail.at(-1)?.amountAfter ?? balance }));
  return { from: from + tail.length, ...after, gapUntilMs: firstMissed(candidates, after) };
}

/**
 * Where to begin again when missing entries were given up: the entries after the last gap. They are placed whatever the
 * balance before them.
 */
export function placeAfterGaps<Entry extends KeptEntry>(candidates: readonly Entry[]): Entry[] {
  const { entries, gaps } = orderHistory(candidates);
  const last = gaps.at(-1)?.before.entryId;
  return last === undefined ? entries : entries.slice(entries.findIndex(({ entryId }) => entryId === last));
}

/**
 * Those of these entries that lead to the balance with which the history starts, and are dated at its start at the latest:
 * they are of before it, and were listed later.
 */
export function leadingToStart<Entry extends KeptEntry>(
  start: { balance: string; latestMs: number },
  entries: readonly Entry[],
): Entry[] {
  const early = entries.filter(({ date }) => date <= start.latestMs);
  const leading: Entry[] = [];
  for (let balance = canonicalAmount(start.balance); ; ) {
    const next = early.find((entry) => canonicalAmount(entry.amountAfter) === balance && !leading.includes(entry));
    if (next === undefined) return leading;
    leading.push(next);
    balance = canonicalAmount(next.amountBefore);
  }
}

/** The entries before the first gap. */
function reachable<Entry extends KeptEntry>({
  entries,
  gaps,
  copies,
}: OrderedHistory<Entry>): { order: Entry[]; copies: Entry[] } {
  const first = gaps[0]?.before.entryId;
  const order =
    first === undefined
      ? entries
      : entries.slice(
          0,
          entries.findIndex(({ entryId }) => entryId === first),
        );
  return { order, copies };
}

/** When the first of the candidates is dated that is not among these; null: there is none. */
export function firstMissed<Entry extends KeptEntry>(
  candidates: readonly Entry[],
  { order, copies }: { order: readonly Entry[]; copies: readonly Entry[] },
): number | null {
  const done = new Set([...order, ...copies].map(({ entryId }) => entryId));
  const missed = candidates.filter(({ entryId }) => !done.has(entryId)).map(({ date }) => date);
  return missed.length === 0 ? null : missed.reduce((least, date) => Math.min(least, date));
}
