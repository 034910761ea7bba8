import { canonicalText } from './canonical-text.ts';
import type { CellErrorCode, CellWarningCode } from './cell-problem-codes.ts';
import type { PaymentColumn } from './csv-columns.ts';
import type { Cells, RawRow } from './raw-row.ts';
import { type ProblemCode, type RowProblem, shownValue } from './row-problem.ts';

/** What is wrong with a cell, and how to fix it. The texts never repeat the cell's value, other than the name of a file. */
export interface CellIssue<Code extends ProblemCode = CellErrorCode> {
  code: Code;
  problem: string;
  fix: string;
}

/** One row during its validation: its cells, in their canonical form, and the errors and warnings found so far. */
export class RowValidation {
  readonly line: number;
  readonly rowRef: string | null;
  readonly filledColumns: readonly PaymentColumn[];
  readonly errors: RowProblem[] = [];
  readonly warnings: RowProblem[] = [];
  readonly #raw: Cells;
  readonly #texts: Cells = {};
  readonly #partOf = new Map<RowProblem, PaymentColumn>();
  readonly #columnsWithError = new Set<string>();

  constructor({ line, cells, unread }: RawRow) {
    this.line = line;
    for (const { partOf = null, ...problem } of unread) {
      this.errors.push(problem);
      if (partOf !== null) this.#partOf.set(problem, partOf);
      if (problem.column !== null) this.#columnsWithError.add(problem.column);
    }
    this.#raw = cells;
    this.filledColumns = Object.keys(cells) as PaymentColumn[];
    for (const column of this.filledColumns) this.#texts[column] = canonicalText(column, cells[column] ?? '');
    const rowRef = this.text('row_ref');
    this.rowRef = rowRef === '' ? null : shownValue(rowRef);
  }

  /** In its canonical form; the empty string when the cell is empty or missing. */
  text(column: PaymentColumn): string {
    return this.#texts[column] ?? '';
  }

  textOrNull(column: PaymentColumn): string | null {
    const text = this.text(column);
    return text === '' ? null : text;
  }

  addError(column: PaymentColumn, issue: CellIssue): void {
    this.#columnsWithError.add(column);
    this.errors.push(this.#problemOf(column, issue));
  }

  addWarning(column: PaymentColumn, issue: CellIssue<CellWarningCode>): void {
    this.warnings.push(this.#problemOf(column, issue));
  }

  /** The errors that have to be corrected: a part of a cell that is wrong itself, as the country of a wrong IBAN, is right with it. */
  errorsToCorrect(): RowProblem[] {
    return this.errors.filter((problem) => {
      const partOf = this.#partOf.get(problem);
      return partOf === undefined || !this.hasError(partOf);
    });
  }

  /** Later rules skip a column with an error, so that one mistake is reported once. */
  hasError(column: PaymentColumn): boolean {
    return this.#columnsWithError.has(column);
  }

  /** The text of a cell that must be filled; null, with an error, when it is empty. */
  require(column: PaymentColumn, why = 'every row needs it'): string | null {
    const text = this.text(column);
    if (text !== '') return text;
    // It is filled, and could not be read.
    if (this.hasError(column)) return null;
    this.addError(column, {
      code: 'missing_value',
      problem: `${column} is empty, but ${why}`,
      fix: `fill ${column}`,
    });
    return null;
  }

  #problemOf(column: PaymentColumn, issue: CellIssue<ProblemCode>): RowProblem {
    const cell = this.#raw[column];
    return {
      line: this.line,
      rowRef: this.rowRef,
      column,
      value: cell === undefined ? null : shownValue(cell),
      ...issue,
    };
  }
}
