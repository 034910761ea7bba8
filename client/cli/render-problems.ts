import type { RowProblem } from '../../domain/row-problem.ts';
import { byPlace } from '../../domain/row-problem.ts';
import { printable } from './printable.ts';

/** Everything that is wrong with a payment file, a line each, in the order of the file. */
export function renderProblems(problems: readonly RowProblem[]): string {
  return [...problems].sort(byPlace).map(renderProblem).join('\n');
}

/** `line 12, column amount: "1,000.00" has a thousands separator: write 1000.00`. */
export function renderProblem({ line, column, value, problem, mend }: RowProblem): string {
  const place = [line === 0 ? null : `line ${line}`, column === null ? null : `column ${column}`];
  const where = place.filter((part) => part !== null).join(', ') || 'the submission';
  return printable(`${where}: ${value === null ? '' : `"${value}" `}${problem}: ${mend}`);
}
