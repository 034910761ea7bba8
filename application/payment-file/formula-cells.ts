import { decidesWhoGetsWhat } from '../../domain/import-profiles/own-format.ts';
import type { PreparedColumn } from '../../domain/import-profiles/prepared-column.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';

interface Found {
  column: PaymentColumn;
  /** The first one: its line, its cell and its kind. */
  line: number;
  example: string;
  count: number;
}

/**
 * Counts results of formulas in the columns that decide who is paid or how much. What is stored as a result is read, whatever the formula
 * would give: only its people know whether it was calculated since.
 */
export class FormulaCells {
  readonly #columns: readonly PreparedColumn[];
  readonly #found = new Map<number, Found>();

  constructor(columns: readonly PreparedColumn[]) {
    const isWhole = ({ source }: PreparedColumn) => source.part === null;
    const deciding = columns.filter(({ column }) => decidesWhoGetsWhat(column));
    // An IBAN is named as such, and not as the country that is taken from it.
    this.#columns = [...deciding.filter(isWhole), ...deciding.filter((column) => !isWhole(column))];
  }

  add(line: number, { formulas }: Pick<SheetRecord, 'formulas'>): void {
    if (formulas === undefined) return;
    const seen = new Set<number>();
    for (const { column, places } of this.#columns) {
      for (const place of places) {
        const example = formulas[place] ?? null;
        if (example === null || seen.has(place)) continue;
        seen.add(place);
        const found = this.#found.get(place);
        if (found === undefined) this.#found.set(place, { column, line, example, count: 1 });
        else found.count += 1;
      }
    }
  }

  /** One for each column of the sheet. */
  notes(): RowProblem[] {
    const { cause, fix } = SHEET_NOTES.formula_result;
    // guard: formula-is-told
    if (this.#found.size === 0) return [];
    return [...this.#found.values()].map(({ column, line, example, count }) => {
      const problem = `${cause}: ${example}${count > 1 ? ` (${count} times)` : ''}`;
      return { line, rowRef: null, column, value: null, problem, fix, code: 'formula_result' };
    });
  }
}
