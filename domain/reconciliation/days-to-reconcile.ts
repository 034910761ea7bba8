import { addDays } from '../calendar-date.ts';

/** Days are UTC, YYYY-MM-DD. */
export interface KnownDays {
  /** Of the history. */
  first: string;
  /** Reconciled and closed last; null: none. */
  last: string | null;
  lastClosed: string | null;
  /** The first day after one that was reconciled later than it: its entries are in no books until it is reconciled again. */
  outdated: string | null;
  /** The last one that is over, and whose entries count as seen. */
  lastSeen: string;
  /** What somebody asked for; null: nothing in particular. */
  fromDay: string | null;
  toDay: string | null;
}

/** In one go; the rest at the next time. */
const MAX_DAYS = 62;

/**
 * The days to reconcile, in their order. Each begins with what the day before left open, so there are no gaps: if a day is
 * reconciled again, all later open days are too, even if an earlier attempt was interrupted. Closed days never are.
 */
export function daysToReconcile(known: KnownDays): string[] {
  const { first, last, lastClosed, outdated, lastSeen, fromDay, toDay } = known;
  // guard: outdated-days-first
  const next = outdated ?? (last === null ? first : addDays(last, 1));
  const open = lastClosed === null ? first : addDays(lastClosed, 1);
  const wanted = fromDay ?? next;
  const from = later(open, wanted < next ? wanted : next);
  const isAgain = last !== null && from <= last;
  const until = toDay !== null && toDay < lastSeen ? toDay : lastSeen;
  const to = isAgain ? later(until, last < lastSeen ? last : lastSeen) : until;
  const days: string[] = [];
  for (let day = from; day <= to && days.length < MAX_DAYS; day = addDays(day, 1)) days.push(day);
  return days;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
