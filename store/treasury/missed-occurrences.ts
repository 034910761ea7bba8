import type { Queryable } from '../database/database.ts';

/** An active schedule, as it was since an instant. */
export interface ScheduleSince {
  scheduleId: string;
  /** Of the version in force: canonical JSON. */
  definition: string;
  /** When its version came into force, or it was resumed: milliseconds since the epoch. */
  sinceMs: number;
}

export async function listActiveSchedules(database: Queryable): Promise<ScheduleSince[]> {
  const { rows } = await database.query<ScheduleSince>(
    `select schedule_id as "scheduleId", definition,
       (extract(epoch from greatest(state_changed_at, decided_at)) * 1000)::float8 as "sinceMs"
     from schedules join schedule_versions using (schedule_id, version) join schedule_decisions using (schedule_id, version)
     where schedules.state = 'active' order by schedule_id`,
  );
  return rows;
}

/**
 * Those of these occurrences that are recorded: begun at this time, or at another one of the same day, if it was recorded that the
 * time was changed.
 */
export async function knownOccurrences(
  database: Queryable,
  due: readonly { occurrenceId: string; at: string }[],
): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>(
    `select occurrence_id as id from schedule_occurrences known
     join unnest($1::uuid[], $2::timestamptz[]) as due (occurrence_id, at) using (occurrence_id)
     where cause <> 'schedule' or scheduled_at = at or exists (select from schedule_occurrences changed
       where changed.schedule_id = known.schedule_id and changed.scheduled_at = at)`,
    [due.map(({ occurrenceId }) => occurrenceId), due.map(({ at }) => at)],
  );
  return new Set(rows.map(({ id }) => id));
}

export interface MissedOccurrence {
  scheduleId: string;
  occurrenceId: string;
  localDate: string;
  slot: number;
  /** ISO 8601, UTC. */
  at: string;
  movedFrom: readonly string[];
  calendarVersion: number;
}

/** False: it is recorded by now, or its schedule was not active then. */
export async function recordMissedOccurrence(database: Queryable, missed: MissedOccurrence): Promise<boolean> {
  const { occurrenceId, scheduleId, localDate, slot, at, movedFrom, calendarVersion } = missed;
  const { rows } = await database.query<{ isNew: boolean }>(
    'select record_missed_occurrence($1, $2, $3, $4, $5, $6, $7) as "isNew"',
    [occurrenceId, scheduleId, localDate, slot, at, movedFrom, calendarVersion],
  );
  return rows[0]?.isNew === true;
}
