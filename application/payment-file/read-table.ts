import { nameHeaders } from '../../domain/import-profiles/headers.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import type { NumberedRow, RemovedRow } from '../../store/payment-file/drafts.ts';
import type { SheetLimits } from '../sheets/sheet.ts';
import { type FileToRead, openTable } from './open-payment-file.ts';
import { FormulaCells } from './formula-cells.ts';
import { problemsOfNotes, sumNotes } from './read-rows.ts';

/** A file as a table of texts, which a person corrects cell by cell. */
export interface ReadTable {
  /** One name for each column. */
  columns: string[];
  rows: NumberedRow[];
  /** What is proposed to be left out. */
  removed: RemovedRow[];
  /** Perhaps one that fills not every column that rows need. */
  profile: Profile;
  /** What a person must know of the file. */
  notes: RowProblem[];
}

/** Throws UnreadableFile for the first problem that makes the file unreadable. */
export async function readTable(file: FileToRead, limits: SheetLimits): Promise<ReadTable> {
  const { table, profile, reader } = await openTable(file, limits);
  const rows: NumberedRow[] = [];
  const removed: RemovedRow[] = [];
  const sums: RowProblem[] = [];
  const formulas = new FormulaCells(reader.columns);
  for await (const batch of table.rows()) {
    for (const { leftOut, ...record } of batch) {
      const row = { row: record.line, cells: reader.plain(record) };
      if (leftOut === null) {
        rows.push(row);
        formulas.add(record.line, record);
        continue;
      }
      removed.push({ ...row, because: leftOut.because });
      if (sums.length < MOST_SUMS) sums.push(...sumNotes(leftOut));
    }
  }
  return {
    columns: nameHeaders(table.headers),
    rows,
    removed,
    profile,
    notes: [...problemsOfNotes(table.sheet.notes()), ...sums, ...formulas.notes()],
  };
}

/** So many rows of sums that do not add up are said. */
export const MOST_SUMS = 20;
