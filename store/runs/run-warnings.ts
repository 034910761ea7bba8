import type { CellWarning } from '../../domain/runs/run-findings.ts';
import type { Queryable } from '../database/database.ts';
import { encrypt } from '../personal-data/encryption.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import { type PayeeData, type RunKey, runKeyOf } from '../personal-data/payee-data.ts';

/** What the check of a file warned of: the first warnings in the order of the file, and how many there are in all. */
export interface RunWarnings {
  listed: readonly CellWarning[];
  count: number;
}

/** In the transaction that stores the run: the database refuses them later. */
export async function addRunWarnings(
  transaction: Queryable,
  { runId, key }: Pick<RunKey, 'runId' | 'key'>,
  warnings: RunWarnings,
): Promise<void> {
  if (warnings.count === 0) return;
  await transaction.query('insert into run_warnings (run_id, encrypted, warning_count) values ($1, $2, $3)', [
    runId,
    encrypt(key, placeOf(runId), Buffer.from(JSON.stringify(warnings.listed))),
    warnings.count,
  ]);
}

/** None is listed once the data of the run is erased. */
export async function readRunWarnings(database: Queryable, payees: PayeeData, runId: string): Promise<RunWarnings> {
  const { rows } = await database.query<{ encrypted: Buffer | null; count: number; runKey: string | null }>(
    `select encrypted, warning_count as count, ${runKeyOf('run_warnings')} as "runKey" from run_warnings where run_id = $1`,
    [runId],
  );
  const [row] = rows;
  if (row === undefined) return { listed: [], count: 0 };
  const { encrypted, runKey, count } = row;
  if (encrypted === null || runKey === null) return { listed: [], count };
  // Damaged ones are only counted.
  const text = unlessUnreadable(() => payees.decryptOfRun(runId, runKey, placeOf(runId), encrypted).toString(), '[]');
  return { listed: JSON.parse(text) as CellWarning[], count };
}

function placeOf(runId: string): string {
  return `warnings ${runId}`;
}
