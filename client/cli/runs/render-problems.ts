import type { RowProblem } from '../../../api/payment-file/row-problem.ts';
import {
  causesOf,
  columnInWords,
  linesInWords,
  type ProblemCause,
} from '../../../domain/payment-file/problem-causes.ts';
import { byPosition } from '../../../domain/payment-file/row-problem.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';

/**
 * The problems of a payment file by their causes, one per line, in the order of the file, and how many of all `total` are not listed:
 * `lines 2, 3, 7, column amount: "1,000.00" has a thousands separator: write 1000.00`, with the cell of the first of the lines.
 */
export function renderProblems(problems: readonly RowProblem[], total: number, noun = 'problem'): string {
  const lines = causesOf([...problems].sort(byPosition)).map(renderCause);
  const unlisted = total - problems.length;
  if (unlisted > 0) lines.push(`… and ${counted(unlisted, `more ${noun}`)}`);
  return lines.join('\n');
}

function renderCause({ lines, ...cause }: ProblemCause): string {
  const [line = 0, ...more] = lines;
  if (more.length === 0) return rendered(line === 0 ? null : `line ${line}`, cause);
  return rendered(`lines ${linesInWords(lines)}`, cause);
}

/** `line 12, column Betrag (buy_amount): "1,000.00" has a thousands separator: write 1000.00`. */
export function renderProblem({ line, ...problem }: RowProblem): string {
  return rendered(line === 0 ? null : `line ${line}`, problem);
}

function rendered(lines: string | null, { value, problem, fix, ...cell }: Omit<ProblemCause, 'lines'>): string {
  const column = columnInWords(cell);
  const place = [lines, column === null ? null : `column ${column}`];
  const where = place.filter((part) => part !== null).join(', ') || 'the submission';
  return printable(`${where}: ${value === null ? '' : `"${value}" `}${problem}: ${fix}`);
}
