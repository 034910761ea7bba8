import { businessDays } from '../../domain/treasury/currency-calendar.ts';
import { currenciesOf } from '../../domain/treasury/schedule.ts';
import { CATCH_UP_WINDOW_MS, nextOccurrences } from '../../domain/treasury/schedule-dates.ts';
import {
  knownOccurrences,
  listActiveSchedules,
  recordMissedOccurrence,
  type ScheduleSince,
} from '../../store/treasury/missed-occurrences.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { scheduleIn } from './schedule-views.ts';

const DAY_MS = 86_400_000;

/** An outage that is longer than this is no news. */
const FIRST_LOOK_DAYS = 31;
const LOOK_DAYS = 2;

/** Workers record what they begin too late: what is not recorded by then was not started. */
const STARTED_WITHIN_MS = CATCH_UP_WINDOW_MS + 5 * 60_000;

type Dependencies = Pick<ApplicationDependencies, 'database' | 'calendars' | 'now'>;

/**
 * Records the occurrences that nothing has started, since Temporal was not running for longer than its catch-up window: so that people are
 * notified, and fixed amounts can be backfilled. Looks back a month at first.
 */
export function recordingMissedOccurrences(): (dependencies: Dependencies) => Promise<void> {
  let days = FIRST_LOOK_DAYS;
  return async (dependencies) => {
    for (const schedule of await listActiveSchedules(dependencies.database)) {
      await recordMissed(dependencies, schedule, days);
    }
    days = LOOK_DAYS;
  };
}

async function recordMissed(
  { database, calendars, now }: Dependencies,
  { scheduleId, definition, sinceMs }: ScheduleSince,
  days: number,
): Promise<void> {
  const timing = scheduleIn(definition);
  const afterMs = Math.max(sinceMs, now() - days * DAY_MS);
  const untilMs = now() - STARTED_WITHIN_MS;
  const isBusinessDay = businessDays(currenciesOf(timing), calendars);
  const count = (days + 1) * timing.times.length;
  const due = nextOccurrences({ scheduleId, timing }, { afterMs, count }, isBusinessDay).filter(
    ({ at }) => Date.parse(at) < untilMs,
  );
  if (due.length === 0) return;
  const known = await knownOccurrences(database, due);
  for (const occurrence of due) {
    if (known.has(occurrence.occurrenceId)) continue;
    await recordMissedOccurrence(database, {
      ...{ ...occurrence, scheduleId, calendarVersion: calendars.overrides.version },
    });
  }
}
