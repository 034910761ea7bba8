import type { NewRow, RowBatch } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import { rowBatch } from '../../store/runs/row-content.ts';
import type { NewFile } from '../../store/runs/supporting-files.ts';

/** What a run is stored with whose rows are there already. */
export function rowsToStore(
  key: RunKey,
  rows: readonly NewRow[],
  files: readonly NewFile[] = [],
): { rowCount: number; rows: RowBatch[]; end: () => { files: readonly NewFile[] } } {
  return { rowCount: rows.length, rows: [rowBatch(key, rows)], end: () => ({ files }) };
}
