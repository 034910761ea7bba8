import { sumAmounts } from '../money.ts';
import type { FoundRows } from './run-finding.ts';
import type { RowFacts } from './run-findings.ts';

const MAX_LISTED = 100;

/** Amounts are added in so many at a time. */
const SUMMANDS = 1_000;

/** The first items of a list, as many as are shown. */
export function firstListed<T>(items: readonly T[]): T[] {
  return items.slice(0, MAX_LISTED);
}

/** The rows of a finding as shown: the first hundred, how many there are, and their sums. Of the others only the numbers are kept. */
export class RowGroup {
  /** The first hundred, in the order of the file. */
  readonly rows: RowFacts[] = [];
  readonly #numbers = new RowNumbers();
  readonly #summands = new Map<string, string[]>();

  add(row: RowFacts): void {
    if (this.rows.length < MAX_LISTED) this.rows.push(row);
    this.#numbers.push(row.rowNumber);
    const summands = this.#summands.get(row.currency) ?? [];
    if (summands.length === SUMMANDS) summands.splice(0, SUMMANDS, sumAmounts(summands));
    summands.push(row.amount);
    this.#summands.set(row.currency, summands);
  }

  get rowCount(): number {
    return this.#numbers.length;
  }

  /** The numbers of all rows. */
  get numbers(): Uint32Array {
    return this.#numbers.all();
  }

  shown(id: string): FoundRows {
    const amounts = [...this.#summands].map(([currency, summands]) => ({ currency, amount: sumAmounts(summands) }));
    return { id, rows: this.rows.map(({ rowRef }) => rowRef), rowCount: this.rowCount, amounts };
  }
}

/** A list of numbers that takes four bytes for each. */
class RowNumbers {
  length = 0;
  #numbers = new Uint32Array(1);

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Uint32Array(this.length * 2);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  all(): Uint32Array {
    return this.#numbers.slice(0, this.length);
  }
}
