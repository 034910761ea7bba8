import type { CellWarning } from '../../domain/runs/run-findings.ts';
import type { Queryable } from '../database/database.ts';

/** What the check of a file warned of: the first warnings in the order of the file, and how many there are in all. */
export interface RunWarnings {
  listed: readonly CellWarning[];
  count: number;
}

/** In the transaction that stores the run: the database refuses them later. */
export async function addRunWarnings(transaction: Queryable, runId: string, warnings: RunWarnings): Promise<void> {
  if (warnings.count === 0) return;
  await transaction.query('insert into run_warnings (run_id, warnings, warning_count) values ($1, $2, $3)', [
    runId,
    JSON.stringify(warnings.listed),
    warnings.count,
  ]);
}

export async function readRunWarnings(database: Queryable, runId: string): Promise<RunWarnings> {
  const { rows } = await database.query<RunWarnings>(
    'select warnings as listed, warning_count as count from run_warnings where run_id = $1',
    [runId],
  );
  return rows[0] ?? { listed: [], count: 0 };
}
