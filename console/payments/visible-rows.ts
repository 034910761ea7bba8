import type { RowSummary, RowListPage } from '../../api/runs/row.ts';

/** Rows that are near what is shown, of up to a million: pages of a hundred, of which the last fifty are kept. */

export const PAGE_ROWS = 100;
const KEPT_PAGES = 50;
/** A request is sent once the view rests: dragging over a million rows must not ask for all of them. */
const REST_MS = 80;

export type ReadRows = (from: number, limit: number, signal: AbortSignal) => Promise<RowListPage>;

export class VisibleRows {
  readonly #read: ReadRows;
  readonly #onChange: () => void;
  /** By their number; the one that was used last is the last. */
  readonly #pages = new Map<number, RowSummary[]>();
  #waiting: ReturnType<typeof setTimeout> | null = null;
  #request: AbortController | null = null;
  #wanted: readonly number[] = [];
  error: unknown = null;

  constructor(read: ReadRows, onChange: () => void) {
    this.#read = read;
    this.#onChange = onChange;
  }

  /** The row at a position from 0; null: it is not here yet. */
  rowAt(position: number): RowSummary | null {
    return this.#pages.get(Math.floor(position / PAGE_ROWS))?.[position % PAGE_ROWS] ?? null;
  }

  /** Whether it is not known yet what stands out in one of these rows. */
  lacksMarks(first: number, last: number): boolean {
    return this.#rowsOf(first, last).some((row) => row !== null && row.marks === null);
  }

  /** Says what is shown. What is missing of it comes later, and only if it is still shown then. */
  show(first: number, last: number): void {
    const numbers = pagesOf(first, last);
    for (const number of numbers) this.#touch(number);
    this.#wanted = numbers.filter((number) => !this.#pages.has(number));
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    this.#waiting = null;
    if (this.#wanted.length === 0) return;
    this.#waiting = setTimeout(() => void this.#load(this.#wanted), REST_MS);
  }

  /** Reads what is shown again: rows change their state. */
  async refresh(first: number, last: number): Promise<void> {
    // What is under way would never come, if it were asked for again before it had come.
    if (this.#request !== null) return;
    const shown = this.#rowsOf(first, last);
    if (shown.includes(null)) return this.#load(pagesOf(first, last));
    // Not their whole pages: this is done every other second for as long as somebody looks.
    const count = await this.#ask(first, shown.length, (rows) => {
      for (const [index, row] of rows.entries()) this.#replace(first + index, row);
    });
    if (count !== null && count < shown.length) await this.#load(pagesOf(first, last));
  }

  /** The rows are others than they were read: what is shown is read again, and the rest once it is shown. */
  async reload(first: number, last: number): Promise<void> {
    const shown = new Set(pagesOf(first, last));
    for (const number of this.#pages.keys()) if (!shown.has(number)) this.#pages.delete(number);
    await this.#load([...shown]);
  }

  close(): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting);
    this.#request?.abort();
  }

  async #load(numbers: readonly number[]): Promise<void> {
    const [first = 0] = numbers;
    const count = (numbers.at(-1) ?? first) - first + 1;
    await this.#ask(first * PAGE_ROWS, count * PAGE_ROWS, (rows) => {
      for (let index = 0; index < count; index += 1) {
        this.#pages.delete(first + index);
        this.#pages.set(first + index, rows.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS));
      }
      this.#forget();
    });
  }

  /**
   * One at a time: a newer request takes the place of the one that is under way. The number of rows that came; null: it failed, or
   * another one has taken its place.
   */
  async #ask(from: number, limit: number, keep: (rows: RowSummary[]) => void): Promise<number | null> {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    let count: number | null = null;
    try {
      const { rows } = await this.#read(from, limit, request.signal);
      keep(rows);
      count = rows.length;
      this.error = null;
    } catch (error) {
      if (request.signal.aborted) return null;
      this.error = error;
    } finally {
      if (this.#request === request) this.#request = null;
    }
    this.#onChange();
    return count;
  }

  #rowsOf(first: number, last: number): (RowSummary | null)[] {
    return Array.from({ length: last - first + 1 }, (_, index) => this.rowAt(first + index));
  }

  #replace(position: number, row: RowSummary): void {
    const page = this.#pages.get(Math.floor(position / PAGE_ROWS));
    if (page !== undefined) page[position % PAGE_ROWS] = row;
  }

  #touch(number: number): void {
    const page = this.#pages.get(number);
    if (page === undefined) return;
    this.#pages.delete(number);
    this.#pages.set(number, page);
  }

  #forget(): void {
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= KEPT_PAGES) return;
      this.#pages.delete(number);
    }
  }
}

function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE_ROWS);
  const to = Math.floor(Math.max(0, last) / PAGE_ROWS);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
