import type { RowFacts } from './run-findings.ts';

/** Of names, and of the rows of each. */
const MAX_LISTED = 100;

/** Rows of one account under one of its names. */
export interface RowsOfName {
  first: RowFacts;
  /** The references of the first hundred. */
  rows: string[];
  rowCount: number;
}

/** The names of one account in a run, of which the first hundred are kept with their rows. */
export class FoundNames {
  readonly #byName = new Map<string | null, RowsOfName | null>();

  add(row: RowFacts): void {
    const known = this.#byName.get(row.name);
    if (known === undefined) {
      const isListed = this.#byName.size < MAX_LISTED;
      this.#byName.set(row.name, isListed ? { first: row, rows: [row.rowRef], rowCount: 1 } : null);
    } else if (known !== null) {
      known.rowCount += 1;
      if (known.rows.length < MAX_LISTED) known.rows.push(row.rowRef);
    }
  }

  get count(): number {
    return this.#byName.size;
  }

  listed(): RowsOfName[] {
    return [...this.#byName.values()].filter((rows) => rows !== null);
  }
}
