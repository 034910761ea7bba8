import type { CostBound } from '../../domain/approvals/cost-bound.ts';
import type { Queryable } from '../database/database.ts';

/**
 * The content hash of a run: SHA-256, hex, over every row to be paid and its files. An approval is bound to it. Computed by the
 * database function `run_content_hash` (docs/database-functions.md says where its latest text is).
 */
export async function readContentHash(database: Queryable, runId: string): Promise<string> {
  const { rows } = await database.query<{ hash: string }>('select run_content_hash($1) as hash', [runId]);
  return rows[0]?.hash ?? '';
}

/** Keeps the reference rates that the proposal of an undecided run is made with. */
export async function keepRatesOfRun(database: Queryable, runId: string): Promise<void> {
  await database.query('select keep_rates_of_run($1)', [runId]);
}

/** What the run may cost; the hash of its content covers it. */
export async function readCostBound(database: Queryable, runId: string): Promise<CostBound> {
  const { rows } = await database.query<{ bound: CostBound | null }>('select cost_bound_of_run($1) as bound', [runId]);
  const bound = rows[0]?.bound ?? null;
  if (bound === null) throw new Error(`there is no run ${runId}`);
  return bound;
}

/** Whether a run may be paid now, by what people decided and not by what a workflow says. */
export async function readRunApproval(
  database: Queryable,
  runId: string,
): Promise<{ account: string; isDecided: boolean; isStopped: boolean }> {
  const { rows } = await database.query<{ account: string; isDecided: boolean; isStopped: boolean }>(
    // guard: decided-by-people
    `select account, started_at is not null and finished_at is null as "isDecided", is_stopped(account, run_id) as "isStopped"
     from runs where run_id = $1`,
    [runId],
  );
  const [authority] = rows;
  if (authority === undefined) throw new Error(`there is no run ${runId}`);
  return authority;
}
