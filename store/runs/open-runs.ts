import { PENDING_PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { WORKFLOW_RUN_STATES } from '../../domain/runs/run-state.ts';
import { sqlList } from '../database/sql-list.ts';
import type { Queryable } from '../database/database.ts';

/** A run that has not ended. */
export interface OpenRun {
  runId: string;
  fileName: string;
  state: string;
  /** Rows to be sent that are not funded. */
  notSent: number;
  isStopped: boolean;
}

/** Submitted runs that have not ended, started runs first. */
export async function readOpenRuns(database: Queryable): Promise<OpenRun[]> {
  const { rows } = await database.query<OpenRun>(
    `select run_id as "runId", file_name as "fileName", state, is_stopped(account, run_id) as "isStopped",
       (select coalesce(sum(rows), 0)::int from run_counts counts
        where counts.run_id = runs.run_id and counts.state in (${sqlList(PENDING_PAYMENT_STATES)})) as "notSent"
     from runs
     where state in (${sqlList(WORKFLOW_RUN_STATES)})
     order by started_at is null, submitted_at`,
  );
  return rows;
}
