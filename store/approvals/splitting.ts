import { UNSUBMITTED_RUN_STATES } from '../../domain/runs/run-state.ts';
import type { Queryable } from '../database/database.ts';
import type { EarlierSubmission } from '../runs/duplicates.ts';

export interface FoundSplit {
  currency: string;
  rule: string | null;
  ruleTogether: string | null;
  total: string;
  runs: EarlierSubmission[];
  runCount: number;
}

/** For which currencies of a run the policy would ask for other steps, were it not submitted in parts: `limit` of the other parts. */
export async function readSplits(database: Queryable, runId: string, limit: number): Promise<FoundSplit[]> {
  const { rows } = await database.query<Omit<FoundSplit, 'runs'> & { runIds: string[] }>(
    `select currency, rule, rule_together as "ruleTogether", total::text, runs[1:$3] as "runIds", cardinality(runs) as "runCount"
     from splits_of_run($1, $2)`,
    [runId, UNSUBMITTED_RUN_STATES, limit],
  );
  const others = await database.query<EarlierSubmission>(
    `select run_id as "runId", file_name as "fileName", submitted_at as "submittedAt", users.name as "submittedBy"
     from runs join users on users.user_id = submitted_by where run_id = any($1) order by submitted_at desc, run_id`,
    [rows.flatMap(({ runIds }) => runIds)],
  );
  return rows.map(({ runIds, ...split }) => ({
    ...split,
    runs: others.rows.filter((run) => runIds.includes(run.runId)),
  }));
}
