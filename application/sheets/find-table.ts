import { columnName } from './column-name.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { Sheet, SheetForm } from './sheet.ts';

/** A row that is proposed to be left out, and why. A person sees it. */
export interface LeftOut {
  line: number;
  code: 'title' | 'repeated_header' | 'total' | 'few_cells';
  because: string;
  /** Of a row of sums: what it says, and what those above it add up to, where that is something else. */
  differs?: string;
}

/** Where the payments of a sheet are: a proposal that a person sees. */
export interface Table {
  headerLine: number;
  /** Of the columns that are kept; empty: a column that has cells and no header. */
  header: string[];
  /** Their places in the records, from 0. */
  columns: number[];
  /** Empty ones between and beside them, by the names that spreadsheets show. */
  droppedColumns: string[];
  /** How many cells its rows usually have filled. */
  usuallyFilled: number;
  /** What is above the header. */
  leftOut: LeftOut[];
}

/** So many of the first records are enough. */
export const RECORDS_TO_FIND_TABLE = 200;

export async function firstRecords(sheet: Sheet): Promise<SheetRecord[]> {
  const first: SheetRecord[] = [];
  for await (const batch of sheet.records()) {
    first.push(...batch.slice(0, RECORDS_TO_FIND_TABLE - first.length));
    if (first.length === RECORDS_TO_FIND_TABLE) break;
  }
  return first;
}

/** Of the cells that rows usually have, so many of 100 make a row of the table. */
export const LEAST_FILLED = 60;

/**
 * Finds the header of a sheet by its form: the first record that is filled as most others are. What is above it is proposed to be left
 * out. `headerLine`: the one that a person chose; 0: there are no headers. Null: that record is no header, as it has numbers or dates.
 */
export function findTable(first: readonly SheetRecord[], form: SheetForm, headerLine?: number): Table | null {
  if (headerLine === 0) return headerless(first);
  const usual = usualCount(first);
  const index = first.findIndex((record) =>
    headerLine === undefined ? filledCount(record.cells) * 100 >= usual * LEAST_FILLED : record.line === headerLine,
  );
  const header = first[index];
  // guard: headers-are-texts
  if (header === undefined || !hasTextsAlone(header)) return null;
  const rows = first.slice(index);
  // In CSV every line has as many cells as that of the headers.
  const width = form === 'csv' ? header.cells.length : Math.max(...rows.map(({ cells }) => cells.length));
  const all = Array.from({ length: width }, (_, column) => column);
  const columns = all.filter((column) => rows.some(({ cells }) => isFilled(cells[column])));
  return {
    headerLine: header.line,
    header: columns.map((column) => (header.cells[column] ?? '').trim()),
    columns,
    droppedColumns: all.filter((column) => !columns.includes(column)).map(columnName),
    usuallyFilled: usual,
    leftOut: first
      .slice(0, index)
      .filter(({ cells }) => filledCount(cells) > 0)
      .map(({ line }) => ({ line, code: 'title', because: 'it is above the headers' })),
  };
}

/** All records are rows, and no column has a header. */
function headerless(first: readonly SheetRecord[]): Table | null {
  const width = Math.max(0, ...first.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column);
  if (columns.length === 0) return null;
  const header = columns.map(() => '');
  return { headerLine: 0, header, columns, droppedColumns: [], usuallyFilled: usualCount(first), leftOut: [] };
}

export function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && /\S/.test(cell);
}

export function filledCount(cells: readonly string[]): number {
  let count = 0;
  for (const cell of cells) if (isFilled(cell)) count += 1;
  return count;
}

/** The middle one of the counts of filled cells, without titles and notes, which have few. */
function usualCount(records: readonly SheetRecord[]): number {
  const counts = records.map(({ cells }) => filledCount(cells));
  const most = Math.max(1, ...counts);
  const usual = counts.filter((count) => count * 2 >= most).sort((one, other) => one - other);
  return usual[Math.floor(usual.length / 2)] ?? 1;
}

/** A number, a date or a time, with or without a currency. */
const NO_TEXT = /^(?=\D*\d)[\d\s.,:/'’%+-]+(?:\p{Lu}{3}|\p{Sc})?$/u;

function hasTextsAlone({ cells, values }: SheetRecord): boolean {
  return cells.every(
    (cell, column) => !isFilled(cell) || ((values?.[column] ?? null) === null && !NO_TEXT.test(cell.trim())),
  );
}
