import type { RowPlace } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { findRow } from './find-row.ts';
import type { RowDetail } from './row-detail.ts';

/** The row, or `not_found`. */
export async function existingRow(dependencies: EngineDependencies, { runId, rowRef }: RowPlace): Promise<RowDetail> {
  const row = await findRow(dependencies, runId, rowRef);
  if (row === null) throw new EngineError('not_found', 'there is no such row in this run');
  return row;
}
