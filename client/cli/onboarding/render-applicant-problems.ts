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
    line === null ? (file ?? 'the file') : `line ${line}`,
    ...(applicantRef === null ? [] : [`applicant ${applicantRef}`]),
  ];
  return printable(`${place.join(', ')}:`);
}

/** `email: "anna" is not a mail address: write it in full`. */
function describe({ field, value, problem, fix }: ApplicantProblem): string {
  return printable(`${field === null ? '' : `${field}: `}${value === null ? '' : `"${value}" `}${problem}: ${fix}`);
}
