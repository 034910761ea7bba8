import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { filledCount, findTable, firstRecords, type Table } from '../sheets/find-table.ts';
import { openSheet } from '../sheets/open-sheet.ts';
import { hasHeaderLine, type Sheet, SHEET_LIMITS, type SheetLimits, type WantedReading } from '../sheets/sheet.ts';
import { type TableRow, tableRows } from '../sheets/table-rows.ts';
import { EXCEPTIONS_READING, isExceptionColumn, isExceptionsFile } from './exceptions-file.ts';
import type { FileContent } from './file-content.ts';
import { UnreadableFile } from './file-problem.ts';
import { unescapeFormula } from './spreadsheet-text.ts';

/** How a file is to be read, beyond what its bytes say. */
export interface WantedTable extends WantedReading {
  /** From 1; absent: it is found. */
  headerLine?: number;
  keepsAll?: boolean;
}

/** The payments of a file: headers, and rows below them, without what payrun added in exceptions.csv. */
export interface PaymentTable {
  sheet: Sheet;
  headerLine: number;
  headers: string[];
  /** Empty columns, by the names that spreadsheets show. */
  droppedColumns: string[];
  /** All of its headers are ours. */
  isOwn: boolean;
  /**
   * Batches; each call reads from the start. What is above the headers is proposed to be left out, and below headers of others what is
   * no payment.
   */
  rows(): AsyncIterable<TableRow[]>;
}

/** Throws UnreadableFile for the first problem that makes the file unreadable. */
export async function openPaymentTable(
  content: FileContent,
  { headerLine, keepsAll = false, ...wanted }: WantedTable = {},
  limits: SheetLimits = SHEET_LIMITS,
): Promise<PaymentTable> {
  // guard: exceptions-as-written
  const isException = await isExceptionsFile(content);
  const reading = isException ? EXCEPTIONS_READING : wanted;
  const sheet = await openSheet(content, reading, { ...limits, cellCharacters: LONGER * limits.cellCharacters });
  const first = await firstRecords(sheet);
  const chosenLine = isException || !hasHeaderLine(sheet.form) ? undefined : headerLine;
  const table = findTable(first, sheet.form, chosenLine);
  if (table === null) throw noHeader(first.length === 0, chosenLine);
  const kept = table.header.map((name) => !isExceptionColumn(name));
  const tidy = (cells: readonly string[]): string[] => {
    const own = cells.filter((_, index) => kept[index]);
    return isException ? own.map(unescapeFormula) : own;
  };
  const isUnchanged = kept.every(Boolean);
  const headers = tidy(table.header);
  const isOwn = ownFormatProfile(headers) !== null;
  const above = rowsAbove(first, table, tidy);
  if (isOwn) refuseRowsAbove(above);
  return {
    sheet,
    headerLine: table.headerLine,
    headers,
    droppedColumns: table.droppedColumns,
    isOwn,
    async *rows() {
      if (above.length > 0) yield above;
      for await (const rows of tableRows(sheet.records(), table, {
        form: sheet.form,
        keepsAll: keepsAll || isOwn,
      })) {
        const tidied = isUnchanged ? rows : rows.map((row) => tidyRow(row, tidy, kept));
        for (const row of tidied) refuseLongCell(row, headers, limits);
        yield tidied;
      }
    },
  };
}

function rowsAbove(
  first: readonly SheetRecord[],
  { columns, leftOut }: Table,
  tidy: (cells: readonly string[]) => string[],
): TableRow[] {
  const byLine = new Map(first.map((record) => [record.line, record.cells]));
  return leftOut.map((reason) => {
    const cells = byLine.get(reason.line) ?? [];
    return { line: reason.line, cells: tidy(columns.map((column) => cells[column] ?? '')), leftOut: reason };
  });
}

/** A title and a date, or a remark. */
const CELLS_OF_A_TITLE = 2;

/** Of a sheet that was sorted with its headers, payments are above them. */
function refuseRowsAbove(above: readonly TableRow[]): void {
  // guard: payments-above-headers
  const row = above.find(({ cells }) => filledCount(cells) > CELLS_OF_A_TITLE);
  if (row === undefined) return;
  throw new UnreadableFile(
    { line: row.line },
    'no_header',
    'the line is above the headers, and has cells as a payment has',
    'put the line of the headers above all payments, or delete the line',
  );
}

/** Cells that are a little too long are refused with their columns, and without what payrun added to them. */
const LONGER = 4;

function refuseLongCell({ line, cells }: TableRow, headers: readonly string[], { cellCharacters }: SheetLimits): void {
  const long = cells.findIndex((cell) => cell.length > cellCharacters);
  if (long === -1) return;
  throw new UnreadableFile(
    { line, column: (headers[long] ?? '').trim().slice(0, 80) },
    'cell_too_long',
    `a cell is longer than ${cellCharacters} characters`,
    'shorten it; if it is not long, a quote before it is not closed',
  );
}

function tidyRow(row: TableRow, tidy: (cells: readonly string[]) => string[], kept: readonly boolean[]): TableRow {
  const { values, formulas, ...rest } = row;
  const own = <T>(cells: readonly T[]): T[] => cells.filter((_, index) => kept[index]);
  return {
    ...rest,
    cells: tidy(row.cells),
    ...(values === undefined ? {} : { values: own(values) }),
    ...(formulas === undefined ? {} : { formulas: own(formulas) }),
  };
}

function noHeader(isEmpty: boolean, headerLine: number | undefined): UnreadableFile {
  if (isEmpty) {
    return new UnreadableFile(
      { line: 1 },
      'empty_file',
      'the file is empty',
      'export it again, with the payments in it',
    );
  }
  return headerLine === undefined
    ? new UnreadableFile(
        { line: 1 },
        'no_header',
        'no line of the file looks like one of headers',
        'add a line with a name for each column, or say which line it is',
      )
    : new UnreadableFile(
        { line: headerLine },
        'no_header',
        'this line has no headers, or is not among the first lines of the file',
        'choose the line with the names of the columns',
      );
}
