import type { ApplicantProblem } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';

/**
 * The problems of an applicants' file, one per line in the order of the file, and how many of all `total` are not listed.
 * Those of a line stand together, below its applicant.
 */
export function renderApplicantProblems(problems: readonly ApplicantProblem[], total: number): string {
  const lines: string[] = [];
  let group = '';
  for (const problem of problems) {
    const title = titleOf(problem);
    if (title !== group) lines.push(title);
    group = title;
    lines.push(`  ${describe(problem)}`);
  }
  const unlisted = total - problems.length;
  if (unlisted > 0) lines.push(`… and ${counted(unlisted, 'more problem')}`);
  return lines.join('\n');
}

/** `line 12, applicant A-17:`. */
function titleOf({ file, line, applicantRef }: ApplicantProblem): string {
  const place = [
    file ?? 'the file',
    ...(line === null ? [] : [`line ${line}`]),
    ...(applicantRef === null ? [] : [`applicant ${applicantRef}`]),
  ];
  return printable(`${place.join(', ')}:`);
}

/** `email "anna" is not one e-mail address: write one address without a name`. A problem names its field once. */
function describe({ field, value, problem, fix }: ApplicantProblem): string {
  const quoted = value === null ? '' : `"${value}" `;
  const named = field !== null && problem.startsWith(`${field} `) ? problem.slice(field.length + 1) : null;
  if (named !== null) return printable(`${field} ${quoted}${named}: ${fix}`);
  return printable(`${field === null ? '' : `${field}: `}${quoted}${problem}: ${fix}`);
}
