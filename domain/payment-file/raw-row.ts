import type { PaymentColumn } from './csv-columns.ts';

/** The filled cells of a row by column name, exactly as written; empty cells are left out. */
export type Cells = Partial<Record<PaymentColumn, string>>;

/** One row of a payment file as read, before any check. */
export interface RawRow {
  /** The line of the file on which the row begins, from 1; a row may span several lines. */
  line: number;
  /** With the run's defaults filled in. */
  cells: Cells;
  /** Every cell of the row in the file's order, unchanged, for exceptions.csv. */
  original: readonly string[];
}
