import type { Queryable } from '../database/database.ts';
import type { PauseReason } from '../../domain/treasury/occurrence-end.ts';

/** A schedule as Temporal should have it. */
export interface ScheduleToSync {
  scheduleId: string;
  state: 'active' | 'paused' | 'deleted';
  stateReason: PauseReason | 'by_person' | null;
  /** Of the version in force: canonical JSON. */
  definition: string;
  changes: number;
}

/**
 * Schedules that Temporal was not notified of since they were changed, and active and paused ones that were not compared for a
 * while. Those that never had a version in force are none of Temporal's.
 */
export async function listSchedulesToSync(
  database: Queryable,
  { scheduleId, comparedBeforeMs }: { scheduleId: string | null; comparedBeforeMs: number },
): Promise<ScheduleToSync[]> {
  const { rows } = await database.query<ScheduleToSync>(
    `select schedule_id as "scheduleId", schedules.state, state_reason as "stateReason", definition, changes
     from schedules join schedule_versions using (schedule_id, version)
     where case when $1::uuid is not null then schedule_id = $1 else notified_changes < changes
       or (schedules.state <> 'deleted' and coalesce(compared_at, '-infinity')
         < clock_timestamp() - make_interval(secs => $2::float8 / 1000)) end`,
    [scheduleId, comparedBeforeMs],
  );
  return rows;
}

/** Temporal has the schedule as it was after so many changes. */
export async function noteSynced(
  database: Queryable,
  { scheduleId, changes }: { scheduleId: string; changes: number },
): Promise<void> {
  await database.query(
    `update schedules set notified_changes = greatest(notified_changes, $2), compared_at = clock_timestamp() where schedule_id = $1`,
    [scheduleId, changes],
  );
}
