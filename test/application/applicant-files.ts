import {
  type CheckContext,
  type CheckedApplicants,
  checkApplicants,
} from '../../application/onboarding/check-applicants.ts';
import type { ApplicantsFile } from '../../application/onboarding/applicants-file.ts';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import type { ApplicantKey } from '../../domain/onboarding/applicant-fields.ts';
import type { ApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';
import { aFile, anIndividual, termsWith } from '../domain/onboarding-applicants.ts';

/** The values of a valid individual, as an applicants' file has them. */
export const person: Readonly<Partial<Record<ApplicantKey, string>>> = Object.fromEntries(
  [...anIndividual().values].map(([key, { text }]) => [key, text ?? '']),
);

export const header = `${Object.keys(person).join(',')},document_passport,document_utility_bill`;

/** A line of a CSV with this header; its documents are `<ref>-passport.pdf` and `<ref>-bill.pdf`. */
export function line(ref: string, changes: Partial<Record<ApplicantKey, string>> = {}): string {
  const values = { ...person, applicant_ref: ref, email: `${ref}@example.com`, ...changes };
  return [...Object.values(values), `${ref}-passport.pdf`, `${ref}-bill.pdf`].map(quoted).join(',');
}

const quoted = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A YAML of the same individual, one key on each line, then its documents. A value is written as it is. */
export function yaml(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const quotedPerson = Object.fromEntries(Object.entries(person).map(([key, text]) => [key, JSON.stringify(text)]));
  const lines = Object.entries({ ...quotedPerson, ...changes }).flatMap(([key, text]) =>
    text === undefined ? [] : [`${key}: ${text}`],
  );
  return [...lines, 'documents:', '  passport: EX-1-passport.pdf', '  utility_bill: EX-1-bill.pdf', ''].join('\n');
}

export const csv = (...lines: string[]): ApplicantsFile => fileOf(`${lines.join('\n')}\n`, 'sheet');

export function fileOf(content: string | Uint8Array, format: ApplicantsFile['format']): ApplicantsFile {
  return {
    fileName: format === 'sheet' ? 'a.csv' : `a.${format}`,
    format,
    content: typeof content === 'string' ? Buffer.from(content) : content,
  };
}

/** The two documents of each reference are given. */
export function contextFor(refs: readonly string[], changes: Partial<CheckContext> = {}): CheckContext {
  const names = refs.flatMap((ref) => [`${ref}-passport.pdf`, `${ref}-bill.pdf`]);
  const { countries, requirements, today } = termsWith();
  return { countries, requirements, today, files: new Map(names.map((name) => [name, aFile()])), ...changes };
}

/** The applicants of a file that must be valid. */
export async function applicantsOf(
  file: ApplicantsFile,
  context = contextFor(['EX-1']),
): Promise<readonly Applicant[]> {
  const checked = await checkApplicants(file, context);
  if (checked.kind === 'refused') throw new Error(`unexpected: ${JSON.stringify(checked.problems)}`);
  return checked.applicants;
}

/** The problems of a file that must be refused. */
export async function problemsOf(file: ApplicantsFile, context = contextFor(['EX-1'])): Promise<ApplicantProblem[]> {
  const checked: CheckedApplicants = await checkApplicants(file, context);
  if (checked.kind === 'valid') throw new Error(`unexpected: ${checked.applicants.length} applicants`);
  return checked.problems;
}

/** Line, field and code of each problem. */
export function places(problems: readonly ApplicantProblem[]): string[] {
  return problems.map((problem) => `${problem.line ?? 'file'} ${problem.field ?? ''} ${problem.code}`);
}
