import { addDays, weekdayOf } from '../calendar-date.ts';
import { adjusted, businessDayBeside, daysAround } from './business-day.ts';
import { WEEKDAYS } from './calendar-overrides.ts';
import { occurrenceId } from './conversion-identity.ts';
import type { IsBusinessDay } from './currency-calendar.ts';
import { instantsOf, localTimeOf } from './local-time.ts';
import type { ScheduleTiming } from './schedule.ts';

/**
 * When a schedule is due. Temporal starts it on every day at its times, since its own calendars cannot move a date; what
 * starts is due or not by `dueOn`.
 */

/**
 * The dates by the rule of the schedule that fall on this local date by its calendars and convention, in order; empty: not
 * due. Several dates that are moved to one day are one occurrence.
 */
export function dueOn(localDate: string, timing: ScheduleTiming, isBusinessDay: IsBusinessDay): string[] {
  if (!isBusinessDay(localDate)) return [];
  const { convention, from, until } = timing;
  return daysAround(localDate, isBusinessDay).filter(
    (date) =>
      date >= from &&
      (until === null || date <= until) &&
      isByRule(date, timing.on) &&
      adjusted(date, convention, isBusinessDay) === localDate,
  );
}

function isByRule(date: string, on: ScheduleTiming['on']): boolean {
  if ('every' in on) return true;
  if ('weekdays' in on) return on.weekdays.some((name) => WEEKDAYS.indexOf(name) === weekdayOf(date));
  const day = Number(date.slice(8));
  const isLast = addDays(date, 1).endsWith('-01');
  return on.days_of_month.some((wanted) => (wanted === 'last' ? isLast : wanted === day));
}

export interface Occurrence {
  occurrenceId: string;
  localDate: string;
  /** Which of the times of the day, from 1. */
  slot: number;
  /** ISO 8601, UTC: the first instant at which clocks show the time. */
  at: string;
  /** The dates that were moved here; empty if the occurrence is on its own date. */
  movedFrom: string[];
}

/** A calendar or a rule that leaves fewer has a mistake, or an end. */
const MAX_SEARCHED_DAYS = 3_660;

/** The next occurrences after an instant, in order: fewer if the schedule ends before. */
export function nextOccurrences(
  { scheduleId, timing }: { scheduleId: string; timing: ScheduleTiming },
  { afterMs, count }: { afterMs: number; count: number },
  isBusinessDay: IsBusinessDay,
): Occurrence[] {
  const today = localTimeOf(afterMs, timing.time_zone).date;
  const first = today > timing.from ? today : firstPossible(timing.from, isBusinessDay);
  const found: Occurrence[] = [];
  for (let day = 0; day < MAX_SEARCHED_DAYS && found.length < count; day++) {
    const localDate = addDays(first, day);
    if (hasEnded(timing, localDate, isBusinessDay)) break;
    const dates = dueOn(localDate, timing, isBusinessDay);
    if (dates.length === 0) continue;
    const ofDay = timing.times.flatMap((time, index) => {
      const [instant] = instantsOf(localDate, time, timing.time_zone);
      if (instant === undefined || instant <= afterMs) return [];
      const slot = index + 1;
      const movedFrom = dates.filter((date) => date !== localDate);
      const at = new Date(instant).toISOString();
      return [{ occurrenceId: occurrenceId(scheduleId, localDate, slot), localDate, slot, at, movedFrom }];
    });
    found.push(...ofDay.slice(0, count - found.length));
  }
  return found;
}

/** The first date by the rule may be moved to a business day before `from`. */
function firstPossible(from: string, isBusinessDay: IsBusinessDay): string {
  return isBusinessDay(from) ? from : businessDayBeside(from, -1, isBusinessDay);
}

/** The last date by the rule may be moved to a business day after `until`. */
function hasEnded({ until }: ScheduleTiming, localDate: string, isBusinessDay: IsBusinessDay): boolean {
  return until !== null && localDate > until && localDate > businessDayBeside(until, 1, isBusinessDay);
}

/** Which occurrence a start of the schedule is; null: its times have changed since, or it is not one of them. */
export function startedOccurrence(
  { scheduleId, timing }: { scheduleId: string; timing: ScheduleTiming },
  scheduledStartMs: number,
): { occurrenceId: string; localDate: string; slot: number } | null {
  const { date: localDate, time } = localTimeOf(scheduledStartMs, timing.time_zone);
  const slot = timing.times.indexOf(time) + 1;
  return slot === 0 ? null : { occurrenceId: occurrenceId(scheduleId, localDate, slot), localDate, slot };
}

/** As in the schedules of Temporal, which catch up after outages of its server within it. */
export const CATCH_UP_WINDOW_MS = 10 * 60_000;

/**
 * Whether a start comes too late: after an outage of the workers it waits in the queue, which no window of Temporal covers.
 * It is compared with the time for which the start was scheduled (`TemporalScheduledStartTime`).
 */
export function isMissed(scheduledStartMs: number, nowMs: number, windowMs = CATCH_UP_WINDOW_MS): boolean {
  // guard: occurrence-in-time
  return nowMs - scheduledStartMs > windowMs;
}
