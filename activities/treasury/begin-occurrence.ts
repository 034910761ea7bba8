import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import { currenciesOf, type Schedule, scheduleSchema } from '../../domain/treasury/schedule.ts';
import { dueOn, isMissed, startedOccurrence } from '../../domain/treasury/schedule-dates.ts';
import {
  beginOccurrence as begin,
  endOccurrence,
  isOccurrenceRecorded,
  readOccurrence,
  readOccurrenceOrders,
  readScheduleInForce,
} from '../../store/treasury/occurrences.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type BegunOccurrence =
  /** Nothing is recorded: it is not due, or its time is none of the schedule's any more, or the schedule is not active. */
  | { kind: 'not_due' }
  /** It ended before, or it begins too late. */
  | { kind: 'ended' }
  | { kind: 'begun'; occurrenceId: string; account: string; followsMoney: boolean }
  /** It has placed orders before: what became of them ends it. */
  | { kind: 'placed'; occurrenceId: string };

/**
 * Records that an occurrence begins, if the schedule is due: asked here and not in the workflow, since calendars and time
 * zones change with versions. One that was started by hand is recorded already.
 */
export function beginOccurrenceActivity({ database, settings, now }: ActivityDependencies) {
  return async function beginOccurrence(input: {
    scheduleId: string;
    occurrenceId: string | null;
    scheduledAtMs: number | null;
  }): Promise<BegunOccurrence> {
    const occurrenceId = input.occurrenceId ?? (await beginDue(input.scheduleId, input.scheduledAtMs));
    if (occurrenceId === null) return { kind: 'not_due' };
    const { ended, account, definition, scheduledAtMs } = await readOccurrence(database, occurrenceId);
    if (ended !== null) return { kind: 'ended' };
    if ((await readOccurrenceOrders(database, occurrenceId)).length > 0) return { kind: 'placed', occurrenceId };
    if (isMissed(scheduledAtMs, now(), settings.schedules.catchUpMs)) {
      await endOccurrence(database, occurrenceId, { ended: 'missed', reason: 'started_too_late', pause: null });
      return { kind: 'ended' };
    }
    const { kind } = scheduleIn(definition);
    return { kind: 'begun', occurrenceId, account, followsMoney: kind !== 'fixed_amount' };
  };

  /** The id, also when it was begun before; null: nothing is due. */
  async function beginDue(scheduleId: string, scheduledAtMs: number | null): Promise<string | null> {
    const schedule = await readScheduleInForce(database, scheduleId);
    if (scheduledAtMs === null || schedule?.state !== 'active' || schedule.definition === null) return null;
    const timing = scheduleIn(schedule.definition);
    const started = startedOccurrence({ scheduleId, timing }, scheduledAtMs);
    if (started === null) return null;
    const dates = dueOn(started.localDate, timing, businessDays(currenciesOf(timing), settings.schedules.calendars));
    if (dates.length === 0) return null;
    const isNew = await begin(database, {
      ...started,
      scheduleId,
      scheduledAt: new Date(scheduledAtMs).toISOString(),
      movedFrom: dates.filter((date) => date !== started.localDate),
      calendarVersion: settings.schedules.calendars.overrides.version,
    });
    // Neither: the schedule was paused just now.
    return isNew || (await isOccurrenceRecorded(database, started.occurrenceId)) ? started.occurrenceId : null;
  }
}

/** As the server has checked it before it was stored. */
export function scheduleIn(definition: string): Schedule {
  return scheduleSchema.parse(JSON.parse(definition));
}
