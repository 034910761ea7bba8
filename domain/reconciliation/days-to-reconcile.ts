import { addDays } from '../calendar-date.ts';

/** Days are UTC, YYYY-MM-DD. */
export interface KnownDays {
  /** Of the history. */
  first: string;
  /** Reconciled and closed last; null: none. */
  last: string | null;
  lastClosed: string | null;
  yesterday: string;
  /** What somebody asked for; null: nothing in particular. */
  fromDay: string | null;
  toDay: string | null;
}

/** In one go; the rest at the next time. */
const MAX_DAYS = 62;

/**
 * The days to reconcile, in their order. Each begins with what the day before left open: so none is left out, those after one
 * that is reconciled again are as well, and closed ones never are.
 */
export function daysToReconcile({ first, last, lastClosed, yesterday, fromDay, toDay }: KnownDays): string[] {
  const next = last === null ? first : addDays(last, 1);
  const open = lastClosed === null ? first : addDays(lastClosed, 1);
  const wanted = fromDay ?? next;
  const from = later(open, wanted < next ? wanted : next);
  const isAgain = last !== null && from <= last;
  const until = toDay !== null && toDay < yesterday ? toDay : yesterday;
  const to = isAgain ? later(until, last) : until;
  const days: string[] = [];
  for (let day = from; day <= to && days.length < MAX_DAYS; day = addDays(day, 1)) days.push(day);
  return days;
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}
