import { stringify } from 'csv-stringify/sync';
import type { DraftChange } from '../../api/payment-file/draft.ts';
import { headerKey } from '../../domain/import-profiles/headers.ts';
import { columnsOf, type Profile, withAddedColumn } from '../../domain/import-profiles/profile.ts';
import { identifiesAccount, isPaymentColumn, type PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { CorrectedCell, DraftFindings, NumberedRow, RemovedRow } from '../../store/payment-file/drafts.ts';
import { type RowProblem, shownValue } from '../../domain/payment-file/row-problem.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';
import { noteOf } from './read-rows.ts';
import type { FileToRead } from './open-payment-file.ts';
import { ApplicationError } from '../application-error.ts';

/** What a draft consists of: a table of texts, and how its columns are read. */
export interface DraftContent {
  columns: string[];
  rows: NumberedRow[];
  /** Rows that were removed: they are checked and submitted no more, and can be put back. */
  removed: RemovedRow[];
  corrected: CorrectedCell[];
  profile: Profile;
}

/** Our columns that each header fills. */
export function fieldsOf({ columns, profile }: Pick<DraftContent, 'columns' | 'profile'>): PaymentColumn[][] {
  const filled = columnsOf(profile).map(({ column, source }) => ({ column, keys: source.from.map(headerKey) }));
  return columns.map((name) => filled.filter(({ keys }) => keys.includes(headerKey(name))).map(({ column }) => column));
}

/** The file that a draft stands for, and how it is read. */
export function draftFile({ columns, rows, profile }: Pick<DraftContent, 'columns' | 'rows' | 'profile'>): FileToRead {
  // Rows of empty cells are none.
  const filled = rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  const text = stringify([columns, ...filled.map(({ cells }) => cells)]);
  const reading = { encoding: 'utf-8', delimiter: ',', sheetName: null, headerLine: 1 };
  return {
    file: Buffer.from(text, 'utf8'),
    profile: { ...profile, reading },
    rowNumbers: filled.map(({ row }) => row),
  };
}

/** For whoever decides on the run: rows of the sheet that are none of it, and cells of its rows that are other than in the sheet. */
export function notesOfChanges({ rows, removed, corrected }: DraftContent): RowProblem[] {
  const submitted = new Set(rows.map(({ row }) => row));
  const code = 'cell_corrected';
  const { cause, fix } = SHEET_NOTES[code];
  const changed = corrected
    .filter(({ row }) => submitted.has(row))
    .map(
      ({ row, column, was }): RowProblem => ({
        line: row,
        rowRef: null,
        column: shownValue(column),
        value: shownValue(was),
        problem: cause,
        fix,
        code,
      }),
    );
  return [...removed.map(({ row, because }) => noteOf({ line: row, because })), ...changed];
}

/**
 * The content after a change: rows that are put back, cells, then columns that are filled, then rows that are removed. Rows keep
 * their numbers. @throws ApplicationError `invalid_input` for a row or column that is not there
 */
export function changedContent(content: DraftContent, found: DraftFindings, change: DraftChange): DraftContent {
  const after: DraftContent = { ...content, columns: [...content.columns], ...movedRows(content, change) };
  const cellsOf = new Map(after.rows.map(({ row, cells }) => [row, cells]));
  const places = new Map<string, number>();
  for (const { row, column, value } of change.cells) {
    const cells = cellsOf.get(row);
    if (cells === undefined) throw noSuchRow(row);
    const place = places.get(column) ?? placeOf(after, column);
    places.set(column, place);
    cells[place] = value;
  }
  for (const fill of change.fill) fillColumn(after, found, fill);
  return withoutRows({ ...after, corrected: correctedCells(content, after) }, change.removeRows);
}

/** All cells that are other than in the sheet. One that is as it was again is none of them. */
function correctedCells(before: DraftContent, after: Pick<DraftContent, 'columns' | 'rows'>): CorrectedCell[] {
  const known = new Map(before.corrected.map((cell) => [`${cell.row} ${cell.column}`, cell]));
  const cellsOf = new Map([...before.rows, ...before.removed].map(({ row, cells }) => [row, cells]));
  for (const { row, cells } of after.rows) {
    for (const [index, column] of after.columns.entries()) {
      const last = cellsOf.get(row)?.[index] ?? '';
      if (cells[index] === last) continue;
      const key = `${row} ${column}`;
      const was = known.get(key)?.was ?? last;
      if (cells[index] === was) known.delete(key);
      else known.set(key, { row, column, was });
    }
  }
  return [...known.values()].sort((one, other) => one.row - other.row);
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

const TAKEN_OUT = 'its maker took it out of the draft';

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
    removed: [...content.removed, ...gone.map((row) => ({ ...row, because: TAKEN_OUT }))].sort(
      (one, other) => one.row - other.row,
    ),
  };
}

/** The index of the new column, which fills ours of its name. */
function addColumn(content: DraftContent, column: PaymentColumn): number {
  const same = content.columns.find((header) => headerKey(header) === column);
  if (same !== undefined)
    throw notThere(`${column} cannot be added beside the header "${same}", which does not fill it`);
  const before = identifiesAccount(column) ? content.profile.columns[column]?.constant : null;
  for (const { cells } of content.rows) cells.push(before ?? '');
  content.profile = withAddedColumn(content.profile, column);
  return content.columns.push(column) - 1;
}

function fillColumn(content: DraftContent, found: DraftFindings, fill: DraftChange['fill'][number]): void {
  const index = placeOf(content, fill.column);
  const fields: readonly string[] = fieldsOf(content)[index] ?? [];
  const wanted =
    fill.code === null
      ? null
      : new Set(
          found.problems
            .filter(({ code, column }) => code === fill.code && column !== null && fields.includes(column))
            .map(({ row }) => row),
        );
  for (const { row, cells } of content.rows) {
    if (wanted !== null && !wanted.has(row)) continue;
    if (fill.onlyEmpty && (cells[index] ?? '').trim() !== '') continue;
    cells[index] = fill.value;
  }
}

/** Of a column by its header, or by ours that it fills; one of ours that nothing fills is added. */
function placeOf(content: DraftContent, column: string): number {
  const byHeader = content.columns.indexOf(column);
  const isOurs = isPaymentColumn(column);
  const fields = fieldsOf(content);
  if (byHeader !== -1) {
    // guard: cell-that-is-meant
    if (!isOurs || fields[byHeader]?.includes(column) || !isPlaced(content.profile, column)) return byHeader;
    throw notThere(`"${column}" is a header, and a column that another header fills: name the header that fills it`);
  }
  if (!isOurs) throw notThere(`there is no column "${column}", and payrun knows none of that name`);
  if (!isPlaced(content.profile, column)) return addColumn(content, column);
  // guard: cell-of-one-column
  if (isFilledByOne(content.profile, column)) return fields.findIndex((each) => each.includes(column));
  throw notThere(`${column} is made of cells that fill other columns as well: correct them by the headers of the file`);
}

/** Whether a header fills the column. */
export function isPlaced({ columns }: Profile, column: PaymentColumn): boolean {
  return (columns[column]?.from.length ?? 0) > 0;
}

/** Whether one header fills the column, and this column alone, so that a value for the column is one for its cells. */
export function isFilledByOne(profile: Profile, column: PaymentColumn): boolean {
  const [header, ...more] = profile.columns[column]?.from ?? [];
  if (header === undefined || more.length > 0 || profile.columns[column]?.part !== null) return false;
  const key = headerKey(header);
  const filled = columnsOf(profile).filter(({ source }) => source.from.some((name) => headerKey(name) === key));
  return filled.length === 1;
}

function noSuchRow(row: number): ApplicationError {
  return notThere(`there is no row ${row} in the draft, or it was removed`);
}

function notThere(message: string): ApplicationError {
  return new ApplicationError('invalid_input', message);
}
