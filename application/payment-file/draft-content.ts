import { stringify } from 'csv-stringify/sync';
import { isPaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import { readRunDefaults } from '../../domain/payment-file/run-defaults.ts';
import type { DraftChange } from '../../api/payment-file/draft.ts';
import type { DraftFindings, NumberedRow } from '../../store/payment-file/drafts.ts';
import { ApplicationError } from '../application-error.ts';
import { withFormulaMarks } from './exceptions-file.ts';
import { UnreadableFile } from './file-problem.ts';
import { readHeader } from './payment-file-header.ts';

/** What a draft consists of: a table of texts, and how its columns are read. */
export interface DraftContent {
  columns: string[];
  rows: NumberedRow[];
  /** Rows that were removed: they are checked and submitted no more, and can be put back. */
  removed: NumberedRow[];
  mapping: Record<string, string>;
  defaults: Record<string, string>;
}

/** Our column of each header; null: it is not read, or could not be as long as the header is wrong. */
export function fieldsOf({ columns, mapping, defaults }: Omit<DraftContent, 'rows' | 'removed'>): (string | null)[] {
  const given = readRunDefaults(defaults);
  try {
    return readHeader(columns, 1, { mapping, defaults: 'problems' in given ? {} : given.defaults });
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return columns.map((name) => {
      const field = mapping[name.trim()] ?? name.trim().toLowerCase();
      return isPaymentColumn(field) ? field : null;
    });
  }
}

/** The file that a draft stands for, and the number of the row that begins on each line. */
export function draftFile({ columns, rows }: Pick<DraftContent, 'columns' | 'rows'>): {
  csv: Buffer;
  rowAt: Map<number, number>;
} {
  const text = stringify(withFormulaMarks([columns, ...rows.map(({ cells }) => cells)]));
  const rowAt = new Map<number, number>();
  let line = 1 + linesOf(columns);
  for (const { row, cells } of rows) {
    rowAt.set(line, row);
    line += linesOf(cells);
  }
  return { csv: Buffer.from(text, 'utf8'), rowAt };
}

/** How many lines a record takes: a cell may have several. */
function linesOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 1);
}

/**
 * The content after a change: rows that are put back, cells, then columns that are filled, then rows that are removed. Rows keep
 * their numbers. @throws ApplicationError `invalid_input` for a row or column that is not there
 */
export function changedContent(content: DraftContent, found: DraftFindings, change: DraftChange): DraftContent {
  const after: DraftContent = {
    columns: [...content.columns],
    ...movedRows(content, change),
    mapping: change.mapping ?? content.mapping,
    defaults: change.defaults ?? content.defaults,
  };
  const cellsOf = new Map(after.rows.map(({ row, cells }) => [row, cells]));
  let fields = fieldsOf(after);
  for (const { row, column, value } of change.cells) {
    const known = columnIndex(after.columns, fields, column);
    if (known === -1 && !isPaymentColumn(column)) {
      throw notThere(`there is no column "${column}", and payrun knows none of that name`);
    }
    const cells = cellsOf.get(row);
    if (cells === undefined) throw noSuchRow(row);
    const index = known === -1 ? addColumn(after, column) : known;
    if (known === -1) fields = fieldsOf(after);
    cells[index] = value;
  }
  for (const fill of change.fill) fillColumn(after, found, fill);
  return withoutRows(after, change.removeRows);
}

/** The rows with those that are put back, all of them copies. */
function movedRows(content: DraftContent, { restoreRows }: DraftChange): Pick<DraftContent, 'rows' | 'removed'> {
  const restored = new Set(restoreRows);
  const numbers = new Set(content.rows.map(({ row }) => row));
  const width = content.columns.length;
  const back = content.removed.filter(({ row }) => restored.has(row) && !numbers.has(row));
  if (back.length !== restored.size) throw notThere('a row that is to be put back was not removed');
  const copies = [...content.rows, ...back].map(({ row, cells }) => ({
    row,
    // Columns may have been added since it was removed.
    cells: [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => '')],
  }));
  return {
    rows: copies.sort((one, other) => one.row - other.row),
    removed: content.removed.filter(({ row }) => !restored.has(row)),
  };
}

function withoutRows(content: DraftContent, removeRows: readonly number[]): DraftContent {
  const wanted = new Set(removeRows);
  const gone = content.rows.filter(({ row }) => wanted.has(row));
  if (gone.length !== wanted.size) {
    const numbers = new Set(gone.map(({ row }) => row));
    throw noSuchRow([...wanted].find((row) => !numbers.has(row)) ?? 0);
  }
  return {
    ...content,
    rows: content.rows.filter(({ row }) => !wanted.has(row)),
    removed: [...content.removed, ...gone].sort((one, other) => one.row - other.row),
  };
}

/** The index of the new column. */
function addColumn(content: DraftContent, column: string): number {
  for (const { cells } of content.rows) cells.push('');
  return content.columns.push(column) - 1;
}

function fillColumn(content: DraftContent, found: DraftFindings, fill: DraftChange['fill'][number]): void {
  const known = columnIndex(content.columns, fieldsOf(content), fill.column);
  const index = known === -1 ? addColumn(content, fill.column) : known;
  const field = fieldsOf(content)[index] ?? fill.column;
  const wanted =
    fill.code === null
      ? null
      : new Set(
          found.problems
            .filter(({ code, column }) => code === fill.code && (column === field || column === content.columns[index]))
            .map(({ row }) => row),
        );
  for (const { row, cells } of content.rows) {
    if (wanted !== null && !wanted.has(row)) continue;
    if (fill.onlyEmpty && (cells[index] ?? '').trim() !== '') continue;
    cells[index] = fill.value;
  }
}

/** By its header, or by our name of it. */
function columnIndex(columns: readonly string[], fields: readonly (string | null)[], column: string): number {
  const byHeader = columns.indexOf(column);
  return byHeader === -1 ? fields.indexOf(column) : byHeader;
}

function noSuchRow(row: number): ApplicationError {
  return notThere(`there is no row ${row} in the draft, or it was removed`);
}

function notThere(message: string): ApplicationError {
  return new ApplicationError('invalid_input', message);
}
