import { stringify } from 'csv-stringify/sync';
import { isPaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import { readRunDefaults } from '../../domain/payment-file/run-defaults.ts';
import type { DraftChange } from '../../api/payment-file/draft.ts';
import type { DraftFindings } from '../../store/payment-file/drafts.ts';
import { ApplicationError } from '../application-error.ts';
import { withFormulaMarks } from './exceptions-file.ts';
import { UnreadableFile } from './file-problem.ts';
import { readHeader } from './payment-file-header.ts';

/** What a draft consists of: a table of texts, and how its columns are read. */
export interface DraftContent {
  columns: string[];
  rows: string[][];
  mapping: Record<string, string>;
  defaults: Record<string, string>;
}

/** Our column of each header; null: it is not read, or could not be as long as the header is wrong. */
export function fieldsOf({ columns, mapping, defaults }: Omit<DraftContent, 'rows'>): (string | null)[] {
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

/** The file that a draft stands for, and the line that each of its rows begins on. */
export function draftFile({ columns, rows }: Pick<DraftContent, 'columns' | 'rows'>): {
  csv: Buffer;
  lines: number[];
} {
  const text = stringify(withFormulaMarks([columns, ...rows]));
  const lines: number[] = [];
  let line = 1 + linesOf(columns);
  for (const cells of rows) {
    lines.push(line);
    line += linesOf(cells);
  }
  return { csv: Buffer.from(text, 'utf8'), lines };
}

/** How many lines a record takes: a cell may have several. */
function linesOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 1);
}

/**
 * The content after a change: cells, then columns that are filled, then rows that are removed; all of them by the numbers
 * before. @throws ApplicationError `invalid_input` for a row or column that is not there
 */
export function changedContent(content: DraftContent, found: DraftFindings, change: DraftChange): DraftContent {
  const after: DraftContent = {
    columns: [...content.columns],
    rows: content.rows.map((cells) => [...cells]),
    mapping: change.mapping ?? content.mapping,
    defaults: change.defaults ?? content.defaults,
  };
  const fields = fieldsOf(after);
  for (const { row, column, value } of change.cells) {
    const index = columnIndex(after.columns, fields, column);
    if (index === -1) throw notThere(`there is no column "${column}": fill it first, which adds it`);
    cellsOfRow(after, row)[index] = value;
  }
  for (const fill of change.fill) fillColumn(after, found, fill);
  const removed = new Set(change.removeRows);
  for (const row of removed) cellsOfRow(after, row);
  after.rows = after.rows.filter((_cells, index) => !removed.has(index + 1));
  return after;
}

function fillColumn(content: DraftContent, found: DraftFindings, fill: DraftChange['fill'][number]): void {
  const known = columnIndex(content.columns, fieldsOf(content), fill.column);
  const index = known === -1 ? content.columns.push(fill.column) - 1 : known;
  if (known === -1) for (const cells of content.rows) cells.push('');
  const field = fieldsOf(content)[index] ?? fill.column;
  const wanted =
    fill.code === null
      ? null
      : new Set(
          found.problems
            .filter(({ code, column }) => code === fill.code && (column === field || column === content.columns[index]))
            .map(({ row }) => row),
        );
  content.rows.forEach((cells, at) => {
    if (wanted !== null && !wanted.has(at + 1)) return;
    if (fill.onlyEmpty && (cells[index] ?? '').trim() !== '') return;
    cells[index] = fill.value;
  });
}

/** By its header, or by our name of it. */
function columnIndex(columns: readonly string[], fields: readonly (string | null)[], column: string): number {
  const byHeader = columns.indexOf(column);
  return byHeader === -1 ? fields.indexOf(column) : byHeader;
}

function cellsOfRow({ rows }: DraftContent, row: number): string[] {
  const cells = rows[row - 1];
  if (cells === undefined) throw notThere(`there is no row ${row}: the draft has ${rows.length}`);
  return cells;
}

function notThere(message: string): ApplicationError {
  return new ApplicationError('invalid_input', message);
}
