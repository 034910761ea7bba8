import { addDays } from '../calendar-date.ts';
import type { IsBusinessDay } from './currency-calendar.ts';

/**
 * What happens to a date that is no business day: the next business day; the same, but the one before if the next is in
 * another month; the one before; or nothing.
 */
export const CONVENTIONS = ['following', 'modified_following', 'preceding', 'skip'] as const;

export type Convention = (typeof CONVENTIONS)[number];

/** No banking system closes for longer; a calendar that does is wrong, and a search in it has to end. */
const MAX_CLOSED_DAYS = 31;

/** The date by convention; null: none. @throws RangeError if no business day is near */
export function adjusted(date: string, convention: Convention, isBusinessDay: IsBusinessDay): string | null {
  if (isBusinessDay(date)) return date;
  if (convention === 'skip') return null;
  if (convention === 'preceding') return businessDayBeside(date, -1, isBusinessDay);
  const following = businessDayBeside(date, 1, isBusinessDay);
  const staysInMonth = following.slice(0, 7) === date.slice(0, 7);
  return convention === 'following' || staysInMonth ? following : businessDayBeside(date, -1, isBusinessDay);
}

/** The next business day (1) or the one before (-1), not the date itself. @throws RangeError if none is near */
export function businessDayBeside(date: string, step: 1 | -1, isBusinessDay: IsBusinessDay): string {
  for (let days = 1; days <= MAX_CLOSED_DAYS; days++) {
    const beside = addDays(date, days * step);
    if (isBusinessDay(beside)) return beside;
  }
  throw new RangeError(`the calendars have no business day within ${MAX_CLOSED_DAYS} days of ${date}`);
}

/** A business day and the days without business that touch it: only these can be moved to it. */
export function daysAround(date: string, isBusinessDay: IsBusinessDay): string[] {
  const before = closedRun(date, -1, isBusinessDay).reverse();
  return [...before, date, ...closedRun(date, 1, isBusinessDay)];
}

function closedRun(date: string, step: 1 | -1, isBusinessDay: IsBusinessDay): string[] {
  const run: string[] = [];
  for (let days = 1; days <= MAX_CLOSED_DAYS; days++) {
    const beside = addDays(date, days * step);
    if (isBusinessDay(beside)) break;
    run.push(beside);
  }
  return run;
}
