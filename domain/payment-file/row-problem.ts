import { columnPosition } from './csv-columns.ts';

/** One thing that is wrong with a payment file, for the person who mends it. */
export interface RowProblem {
  /** From 1; 0 when the trouble lies not in the file but in what was given with it (defaults, mapping). */
  line: number;
  rowRef: string | null;
  /** Our name of the column, or the file's own header where it has no name of ours; null: the whole line. */
  column: string | null;
  /** The cell as written, cut to a readable length. It may be personal data: show it to the maker, never log it. */
  value: string | null;
  /** What is wrong and what to do. Neither repeats the value, other than the name of a file. */
  problem: string;
  fix: string;
  /** Stable, for programs. */
  code: string;
}

/** What makes a file unreadable as a whole: one at a time, since the rest cannot be trusted after it. */
export type FileProblem = RowProblem;

const SHOWN_LENGTH = 80;

/** A cell as it can be shown on one line: invisible characters made visible, long text cut. */
export function shownValue(cell: string): string {
  const cut = cell.length > SHOWN_LENGTH ? `${cell.slice(0, SHOWN_LENGTH)}…` : cell;
  return cut.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const INVISIBLE = /[\p{Cc}\u200b\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Order of the lists that people see: by line, then by the order of the columns. */
export function byPlace(a: RowProblem, b: RowProblem): number {
  return a.line - b.line || columnPosition(a.column ?? '') - columnPosition(b.column ?? '');
}
