import type { RowProblem } from '../../../api/payment-file/row-problem.ts';
import { byPosition } from '../../../domain/payment-file/row-problem.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';

/**
 * The problems of a payment file, one per line, in the order of the file, and how many of all `total` are not listed.
 */
export function renderProblems(problems: readonly RowProblem[], total: number, noun = 'problem'): string {
  const lines = [...problems].sort(byPosition).map((problem) => renderProblem(problem));
  const unlisted = total - problems.length;
  if (unlisted > 0) lines.push(`… and ${counted(unlisted, `more ${noun}`)}`);
  return lines.join('\n');
}

/** `line 12, column amount: "1,000.00" has a thousands separator: write 1000.00`. `header`: of the sheet, where it has another name. */
export function renderProblem({ line, column, value, problem, fix }: RowProblem, header: string | null = null): string {
  const named = header === null || header === column ? column : `${column} (its "${header}")`;
  const place = [line === 0 ? null : `line ${line}`, column === null ? null : `column ${named}`];
  const where = place.filter((part) => part !== null).join(', ') || 'the submission';
  return printable(`${where}: ${value === null ? '' : `"${value}" `}${problem}: ${fix}`);
}
