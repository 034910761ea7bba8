import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { WORKFLOW_RUN_STATES } from '../../domain/runs/run-state.ts';

/** Notes that the run's workflow knows the decision. */
export async function markRunNotified(database: Queryable, runId: string): Promise<void> {
  await database.query('update runs set notified_at = clock_timestamp() where run_id = $1 and notified_at is null', [
    runId,
  ]);
}

/** Decided runs whose workflows have not confirmed that they know the decision. */
export async function listRunsToNotify(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ run_id: string }>(
    `select run_id from runs where notified_at is null
       and (decided_at < clock_timestamp() - interval '5 seconds'
         or state = 'cancelled' and finished_at < clock_timestamp() - interval '5 seconds')
     order by coalesce(decided_at, finished_at), run_id limit 100`,
  );
  return rows.map((row) => row.run_id);
}

/** Null: the run has ended and its workflow knows it, so nothing is left to do. */
export async function readRunToResume(
  database: Queryable,
  runId: string,
): Promise<{ runId: string; account: string } | null> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where run_id = $1 and (finished_at is null or notified_at is null)`,
    [runId],
  );
  return rows[0] ?? null;
}

/** Submitted runs that have not ended, oldest first; the page starts after the run `after`. */
export async function listRunsToResume(
  database: Queryable,
  page: { after: string | null; limit: number },
): Promise<{ runId: string; account: string }[]> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where state in (${sqlList(WORKFLOW_RUN_STATES)})
       and submitted_at < clock_timestamp() - interval '5 seconds'
       and ($1::uuid is null or (submitted_at, run_id) > (select submitted_at, run_id from runs where run_id = $1))
     order by submitted_at, run_id limit $2`,
    [page.after, page.limit],
  );
  return rows;
}

/** Runs that are in their first state for several seconds: their workflow may never have been started. */
export async function listUnstartedRuns(database: Queryable): Promise<{ runId: string; account: string }[]> {
  const { rows } = await database.query<{ runId: string; account: string }>(
    `select run_id as "runId", account from runs
     where state = 'validating' and submitted_at < clock_timestamp() - interval '5 seconds' order by submitted_at`,
  );
  return rows;
}

/** The accounts of which a run was ever started. */
export async function listPayingAccounts(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ account: string }>(
    'select distinct account from runs where started_at is not null order by account',
  );
  return rows.map(({ account }) => account);
}
