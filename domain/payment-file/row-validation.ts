import type { PaymentColumn } from './csv-columns.ts';
import type { Cells, RawRow } from './raw-row.ts';
import { type RowProblem, shownValue } from './row-problem.ts';

/** What may be said about a cell. The texts never repeat its value, other than the name of a file. */
export interface Remark {
  code: string;
  problem: string;
  fix: string;
}

/** One row while it is checked: its cells, trimmed, and what was found wrong so far. */
export class RowUnderCheck {
  readonly row: RawRow;
  readonly rowRef: string | null;
  readonly filledColumns: readonly PaymentColumn[];
  readonly problems: RowProblem[] = [];
  readonly warnings: RowProblem[] = [];
  readonly #refused = new Set<string>();
  readonly #texts: Cells = {};

  constructor(row: RawRow) {
    this.row = row;
    this.filledColumns = Object.keys(row.cells) as PaymentColumn[];
    for (const column of this.filledColumns) this.#texts[column] = row.cells[column]?.trim();
    const rowRef = this.text('row_ref');
    this.rowRef = rowRef === '' ? null : shownValue(rowRef);
  }

  /** Without the blanks around it; empty when the cell is empty or missing. */
  text(column: PaymentColumn): string {
    return this.#texts[column] ?? '';
  }

  textOrNull(column: PaymentColumn): string | null {
    const text = this.text(column);
    return text === '' ? null : text;
  }

  refuse(column: PaymentColumn, remark: Remark): void {
    this.#refused.add(column);
    this.problems.push(this.#remarkOn(column, remark));
  }

  warn(column: PaymentColumn, remark: Remark): void {
    this.warnings.push(this.#remarkOn(column, remark));
  }

  /** True when the column has a problem already: one cause should not be told twice. */
  isRefused(column: PaymentColumn): boolean {
    return this.#refused.has(column);
  }

  /** The text of a cell that must be filled; null, with a problem, when it is not. */
  needed(column: PaymentColumn, why = 'every row needs it'): string | null {
    const text = this.text(column);
    if (text !== '') return text;
    this.refuse(column, {
      code: 'missing_value',
      problem: `${column} is empty, but ${why}`,
      fix: `fill ${column}`,
    });
    return null;
  }

  #remarkOn(column: PaymentColumn, remark: Remark): RowProblem {
    const cell = this.row.cells[column];
    return {
      line: this.row.line,
      rowRef: this.rowRef,
      column,
      value: cell === undefined ? null : shownValue(cell),
      ...remark,
    };
  }
}
