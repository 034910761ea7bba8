import type { PaymentColumn } from './csv-columns.ts';

/** The filled cells of a row by our column names, as text, exactly as written; an empty cell is left out. */
export type Cells = Partial<Record<PaymentColumn, string>>;

/** One row of a payment file as it was read, before anything is checked. */
export interface RawRow {
  /** The line of the file that the row begins on, from 1; a cell with line breaks makes a row of several lines. */
  line: number;
  /** With the run's defaults filled in. */
  cells: Cells;
  /** Every cell of the file's row in the file's order, untouched: what exceptions.csv gives back. */
  original: readonly string[];
}
