import { addDays } from '../calendar-date.ts';
import { adjusted, businessDayBeside } from './business-day.ts';
import type { IsBusinessDay } from './currency-calendar.ts';

const DAY_MS = 86_400_000;
const PERCENTILE = 0.95;

/** Until there are observations: as long as conversions between most currencies may take. */
const ASSUMED_COMPLETION_MS = 2 * DAY_MS;

/**
 * How long completions usually take: the 95th percentile of observed times from funding to the credit, by nearest rank, so that
 * it is one of them. It counts elapsed time: weekends are in it. Without observations, two days.
 */
export function usualCompletionMs(observedMs: readonly number[]): number {
  const ascending = [...observedMs].sort((one, other) => one - other);
  return ascending[Math.ceil(ascending.length * PERCENTILE) - 1] ?? ASSUMED_COMPLETION_MS;
}

/**
 * The last business day on which conversions for payments of this due date begin: a banking day ahead of it, and as many days
 * as completions usually take, each begun day counted whole.
 */
export function latestStart(
  { dueOn, completionMs }: { dueOn: string; completionMs: number },
  isBusinessDay: IsBusinessDay,
): string {
  const bankingDayBefore = businessDayBeside(dueOn, -1, isBusinessDay);
  const start = addDays(bankingDayBefore, -Math.ceil(completionMs / DAY_MS));
  return adjusted(start, 'preceding', isBusinessDay) ?? start;
}
