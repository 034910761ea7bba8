import { UNSEEN_IN_CELL } from '../unsafe-characters.ts';
import type { CellErrorCode, CellWarningCode } from './cell-problem-codes.ts';
import { columnPosition } from './csv-columns.ts';
import type { FileProblemCode } from './file-problem-codes.ts';
import type { SheetNoteCode } from './sheet-note-codes.ts';

/** See docs/errors.md. */
export type ProblemCode = FileProblemCode | CellErrorCode | CellWarningCode | SheetNoteCode;

/** One error or warning about a payment file, for the person who corrects it. */
export interface RowProblem<Code extends ProblemCode = ProblemCode> {
  /** From 1; 0 when the problem is of the file as a whole. */
  line: number;
  rowRef: string | null;
  /** The column name, or the header of an unknown column; null: the whole line. */
  column: string | null;
  /** What the sheet calls the cells that fill the column; absent or null: the same, or no cell fills it. */
  header?: string | null;
  /** The cell as written, shortened. It may be personal data: show it to the maker, never log it. */
  value: string | null;
  /** What is wrong and what to do. Neither repeats the cell's value, other than the name of a file. */
  problem: string;
  fix: string;
  /** Stable, so that programs can rely on it. */
  code: Code;
}

/** Makes the whole file unreadable. Only the first one is reported, as the rest of the file cannot be trusted. */
export type FileProblem = RowProblem<FileProblemCode>;

const SHOWN_LENGTH = 80;

/** A cell in a form that fits on one line: characters that nobody sees escaped, long text shortened. */
export function shownValue(cell: string): string {
  // Not within a character of two parts: half of one can be stored nowhere.
  const cut = cell.length > SHOWN_LENGTH ? `${cell.slice(0, SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, '')}…` : cell;
  return cut.replace(EVERY_UNSEEN_CHARACTER, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

const EVERY_UNSEEN_CHARACTER = new RegExp(UNSEEN_IN_CELL, 'gu');

type Position = Pick<RowProblem, 'line' | 'column'>;

/** The order of lists for people: by line, then by column. */
export function byPosition(a: Position, b: Position): number {
  return a.line - b.line || columnPosition(a.column ?? '') - columnPosition(b.column ?? '');
}

/** More than anybody corrects at once. It bounds the memory that the problems of a large file take. */
export const MAX_LISTED_PROBLEMS = 1_000;

/** The first of many problems, in the order in which they were found, and how many there are in all. */
export interface ProblemList {
  listed: RowProblem[];
  count: number;
}

export function noProblems(): ProblemList {
  return { listed: [], count: 0 };
}

/** The first 1,000 of each code, so that many of one code hide no other. */
export class ProblemsByCode {
  readonly list = noProblems();
  readonly #maxListed: number;
  readonly #listed = new Map<ProblemCode, number>();

  constructor(maxListed = MAX_LISTED_PROBLEMS) {
    this.#maxListed = maxListed;
  }

  add(found: readonly RowProblem[]): void {
    for (const problem of found) {
      this.list.count += 1;
      const listed = this.#listed.get(problem.code) ?? 0;
      // guard: first-of-each-code
      if (listed >= this.#maxListed) continue;
      this.#listed.set(problem.code, listed + 1);
      this.list.listed.push(structuredClone(problem));
    }
  }

  addList({ listed, count }: ProblemList): void {
    this.add(listed);
    this.list.count += count - listed.length;
  }
}

export function addProblems(list: ProblemList, found: readonly RowProblem[], maxListed = MAX_LISTED_PROBLEMS): void {
  // Copies: the text of a cell may keep the piece of the file in memory that it is part of.
  list.listed.push(...structuredClone(found.slice(0, Math.max(0, maxListed - list.listed.length))));
  list.count += found.length;
}
