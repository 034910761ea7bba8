import { headerKey } from '../../domain/import-profiles/headers.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { ReadRecord } from '../../domain/import-profiles/read-record.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';
import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';

/**
 * Counts rows that have no day in a column of somebody else's that says when they are paid: what an empty due date means there, only
 * its people know.
 */
export class EmptyDays {
  readonly #header: string | null;
  #count = 0;
  #line = 0;

  constructor({ columns }: Pick<Profile, 'columns'>) {
    const { from: [header] = [], constant = null } = columns.pay_on ?? {};
    this.#header = header === undefined || constant !== null || headerKey(header) === 'pay_on' ? null : header;
  }

  add(line: number, read: ReadRecord): void {
    const isRefused = 'problems' in read && read.problems.some(({ column }) => column === 'pay_on');
    if (this.#header === null || isRefused || ('cells' in read ? read.cells : read.readable).pay_on !== undefined)
      return;
    if (this.#count === 0) this.#line = line;
    this.#count += 1;
  }

  notes(): RowProblem[] {
    if (this.#header === null || this.#count === 0) return [];
    const { cause, fix } = SHEET_NOTES.no_day;
    const problem = `${cause}: "${this.#header}"${this.#count > 1 ? ` (${this.#count} times)` : ''}`;
    return [{ line: this.#line, rowRef: null, column: 'pay_on', value: null, problem, fix, code: 'no_day' }];
  }
}
