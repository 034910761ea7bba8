import { UnreadableFile } from '../payment-file/file-problem.ts';
import { AmountSums, amountOf, type ComparedSum } from './amount-sums.ts';
import { columnName } from './column-name.ts';
import { filledCount, isFilled, LEAST_FILLED, type LeftOut, type Table } from './find-table.ts';
import type { SheetForm } from './sheet.ts';
import { raggedRow } from './ragged-row.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { beginsAsTotal, isTotal } from './total-words.ts';

/** A row below the header, with the cells of the columns that are kept. */
export interface TableRow extends SheetRecord {
  /** Why it is proposed to be left out; null: it is a row of the table. */
  leftOut: LeftOut | null;
}

/**
 * The rows of a table, each with whether it is proposed to be left out: repeated headers, sums, notes. Throws UnreadableFile for a row
 * of CSV that has more or fewer cells than the header, and for a cell in a column that was dropped as empty. `keepsAll`: nothing is
 * proposed to be left out.
 */
export async function* tableRows(
  batches: AsyncIterable<readonly SheetRecord[]>,
  table: Table,
  { form, keepsAll = false }: { form: SheetForm; keepsAll?: boolean },
): AsyncGenerator<TableRow[], void, undefined> {
  const judge = keepsAll ? null : new RowJudge(table);
  let width: number | null = null;
  for await (const records of batches) {
    const rows: TableRow[] = [];
    for (const record of records) {
      if (record.line === table.headerLine || table.headerLine === 0) width ??= record.cells.length;
      if (record.line <= table.headerLine || filledCount(record.cells) === 0) continue;
      const row = rowOf(record, table);
      const leftOut = judge?.leftOut(row) ?? null;
      if (leftOut === null) refuseOtherShapes(record, table, form === 'csv' ? width : null);
      rows.push({ ...row, leftOut });
    }
    if (rows.length > 0) yield rows;
  }
}

function rowOf(record: SheetRecord, { columns, droppedColumns }: Table): SheetRecord {
  const { cells, values, formulas } = record;
  if (droppedColumns.length === 0 && cells.length === columns.length) return record;
  return {
    ...record,
    cells: columns.map((column) => cells[column] ?? ''),
    ...(values === undefined ? {} : { values: columns.map((column) => values[column] ?? null) }),
    ...(formulas === undefined ? {} : { formulas: columns.map((column) => formulas[column] ?? null) }),
  };
}

function refuseOtherShapes({ line, cells }: SheetRecord, table: Table, width: number | null): void {
  // guard: ragged-row
  if (width !== null && cells.length !== width) {
    throw raggedRow(cells.length, width, line);
  }
  // guard: cell-outside-table
  if (filledCount(cells) === filledIn(cells, table)) return;
  const outside = cells.findIndex((cell, column) => isFilled(cell) && !table.columns.includes(column));
  throw new UnreadableFile(
    { line, column: columnName(outside) },
    'cell_outside_table',
    'the line has a cell in a column that has no header',
    'give the column a header, or delete the cell',
  );
}

function filledIn(cells: readonly string[], { columns }: Table): number {
  let count = 0;
  for (const column of columns) if (isFilled(cells[column])) count += 1;
  return count;
}

/** Tells rows of the table from others by their form, in the order of the rows. */
class RowJudge {
  readonly #names: readonly string[];
  /** In lower case. */
  readonly #header: readonly string[];
  readonly #usual: number;
  readonly #sums = new AmountSums();

  constructor(table: Table) {
    this.#names = table.header;
    this.#header = table.header.map((name) => name.toLowerCase());
    this.#usual = table.usuallyFilled;
  }

  leftOut({ line, cells, values = [] }: SheetRecord): LeftOut | null {
    if (this.#header.every((name, index) => (cells[index] ?? '').trim().toLowerCase() === name)) {
      return { line, code: 'repeated_header', because: 'it repeats the headers' };
    }
    const filled = filledCount(cells);
    const sum = this.#sumOf(cells, values, filled);
    if (sum !== null) {
      this.#sums.startPart();
      return { line, code: 'total', ...sum };
    }
    if (this.#usual > FEW_COLUMNS && filled * 3 <= this.#usual && !hasAmount(cells, values)) {
      return { line, code: 'few_cells', because: `it has ${filled} cells, where others have ${this.#usual}` };
    }
    this.#sums.add(cells, values);
    return null;
  }

  /** Why the row is one of sums; null: it is none. A word alone is not enough, as companies have such names. */
  #sumOf(
    cells: readonly string[],
    values: readonly (string | null)[],
    filled: number,
  ): Pick<LeftOut, 'because' | 'differs'> | null {
    const hasFew = filled * 100 < this.#usual * LEAST_FILLED;
    const isNamed = hasFew ? cells.some(beginsAsTotal) : beginsAsTotal(cells.find(isFilled) ?? '');
    if (!hasFew && !isNamed) return null;
    const compared = this.#sums.compared(cells, values);
    const found = compared.find(({ isSum }) => isSum);
    const isClear = hasFew ? isNamed : this.#usual <= FEW_COLUMNS && cells.some(isTotal);
    if (found === undefined && !isClear) return null;
    const because =
      found === undefined ? 'it is named as a row of sums' : `its "${this.#name(found)}" is the sum of those above it`;
    const other = compared.find(({ isOther }) => isOther);
    if (other === undefined) return { because };
    const shown = (cells[other.column] ?? '').trim().slice(0, LONGEST_SHOWN);
    return { because, differs: `"${this.#name(other)}" says ${shown}, and those above it add up to ${other.sum}` };
  }

  #name({ column }: ComparedSum): string {
    return this.#names[column] || `column ${columnName(column)}`;
  }
}

const LONGEST_SHOWN = 40;

/** With so few columns a row of sums may be as full as others, and a row of one cell may be one of the table. */
const FEW_COLUMNS = 3;

function hasAmount(cells: readonly string[], values: readonly (string | null)[]): boolean {
  return cells.some((cell, index) => {
    const value = values[index] ?? null;
    return amountOf(cell, value, '.') !== null || amountOf(cell, value, ',') !== null;
  });
}
