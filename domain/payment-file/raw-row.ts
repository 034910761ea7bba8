import type { PaymentColumn } from './csv-columns.ts';
import type { RowProblem } from './row-problem.ts';

/** The filled cells of a row by column name, exactly as written; empty cells are left out. */
export type Cells = Partial<Record<PaymentColumn, string>>;

/** A cell that could not be read as what fills its column. */
export interface UnreadCell extends RowProblem {
  /** The column that the cell itself fills, where this one takes a part of it. Absent or null: it takes no part of another one. */
  partOf?: PaymentColumn | null;
}

/** One row of a payment file as its profile reads it, before any check. */
export interface RawRow {
  /** The line of the file on which the row begins, from 1; a row may span several lines. */
  line: number;
  /** With the constants of the profile filled in. */
  cells: Cells;
  /** What its cells could not be read as: their columns are not among `cells`. */
  unread: readonly UnreadCell[];
  /** Every cell of the row in the file's order, as a text that the profile reads alike, for exceptions.csv. */
  original: readonly string[];
}
