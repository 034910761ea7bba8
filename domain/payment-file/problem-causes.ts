import type { RowProblem } from './row-problem.ts';

type OfARow = Omit<RowProblem, 'code'> & { code: string };

/** What is wrong with one row or many of them, by one example. */
export interface ProblemCause extends Pick<OfARow, 'column' | 'header' | 'problem' | 'fix'> {
  /** The cell of the first of the rows, as `RowProblem` has it. */
  value: string | null;
  /** Of all of the rows, in the order of the problems. */
  lines: number[];
}

/** Problems by their cause, in the order in which each occurs first: two hundred times the same is one thing to do. */
export function causesOf(problems: readonly OfARow[]): ProblemCause[] {
  const causes = new Map<string, ProblemCause>();
  for (const { column, header = null, value, problem, fix, line, code } of problems) {
    const key = `${code}/${column ?? ''}`;
    const known = causes.get(key);
    if (known === undefined) causes.set(key, { column, header, value, problem, fix, lines: [line] });
    else known.lines.push(line);
  }
  return [...causes.values()];
}

/** `Betrag (buy_amount)`: a person knows their own headers, and not our columns. Null: the whole line. */
export function columnInWords({ column, header }: Pick<RowProblem, 'column' | 'header'>): string | null {
  return header === undefined || header === null || header === column ? column : `${header} (${column})`;
}

const MOST_LINES = 6;

/** `2, 3, 4, 5, 6, 7 and 136 more`. */
export function linesInWords(lines: readonly number[]): string {
  const shown = lines.slice(0, MOST_LINES).join(', ');
  const more = lines.length - MOST_LINES;
  return more > 0 ? `${shown} and ${more.toLocaleString('en')} more` : shown;
}
