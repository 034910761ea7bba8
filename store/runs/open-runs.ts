import type { Queryable } from '../database/database.ts';

/** A run that is not over. */
export interface OpenRun {
  runId: string;
  fileName: string;
  state: string;
  /** Rows that were approved, or wait to be, and are neither paid nor on their way. */
  notSent: number;
  isStopped: boolean;
}

/** Runs that are not over, those that pay first. */
export async function readOpenRuns(database: Queryable): Promise<OpenRun[]> {
  const { rows } = await database.query<OpenRun>(
    `select run_id as "runId", file_name as "fileName", state, is_stopped(account, run_id) as "isStopped",
       (select coalesce(sum(rows), 0)::int from run_counts counts
        where counts.run_id = runs.run_id and counts.state in ('ready', 'quoted', 'created', 'awaiting_funds')) as "notSent"
     from runs
     where state in ('validating', 'proposed', 'in_approval', 'scheduled', 'awaiting_funds', 'running', 'paused')
     order by started_at is null, submitted_at`,
  );
  return rows;
}
