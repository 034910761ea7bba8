import type { Applicant, ApplicantDocument } from '../../domain/onboarding/applicant.ts';
import { type ApplicantKey, fieldPosition } from '../../domain/onboarding/applicant-fields.ts';
import type { ApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';
import { type ApplicantTerms, checkApplicant } from '../../domain/onboarding/check-applicant.ts';
import { checkChange, isChange, type RecordedApplicant } from '../../domain/onboarding/check-change.ts';
import {
  type ApplicantFile,
  capitalsKey,
  contentTypesOf,
  fileNameKey,
  filesByName,
} from '../../domain/onboarding/check-documents.ts';
import { repeatProblems } from '../../domain/onboarding/check-repeats.ts';
import type { OnboardingCountry } from '../../domain/onboarding/check-country.ts';
import type { DocumentRequirements } from '../../domain/onboarding/document-requirements.ts';
import type { RawApplicant } from '../../domain/onboarding/raw-applicant.ts';
import { MAX_LISTED_PROBLEMS, shownValue } from '../../domain/payment-file/row-problem.ts';
import { type ApplicantsFile, type FormProblem, NOTHING_NEW_FIX } from './applicants-file.ts';
import { readApplicants } from './read-applicants.ts';

export type { ApplicantFile } from '../../domain/onboarding/check-documents.ts';

/** What applicants are checked against. */
export interface CheckContext {
  /** The documents given beside the file, by name. */
  files: ReadonlyMap<string, ApplicantFile>;
  /** The provider's list; null: it is not known, so that only the form of countries is checked. */
  countries: readonly OnboardingCountry[] | null;
  requirements: DocumentRequirements;
  /** YYYY-MM-DD, in the time zone of the account. */
  today: string;
}

export interface RefusedApplicants {
  kind: 'refused';
  /** Of new applicants, whose mail addresses are compared with the cases of the account even so. */
  addresses: readonly GivenAddress[];
  /** The first 1,000, in the order of the file, then those of documents by name. */
  problems: ApplicantProblem[];
  problemCount: number;
}

/** A mail address with its place in the file. */
export interface GivenAddress {
  applicantRef: string;
  email: string;
  line: number | null;
  takesOver: boolean;
}

export type CheckedApplicants =
  | {
      kind: 'valid';
      addresses: readonly GivenAddress[];
      /** In the order of the file. */
      applicants: readonly Applicant[];
      /** Of every document, by the name of its file. */
      contentTypes: ReadonlyMap<string, string>;
    }
  | RefusedApplicants;

export type CheckedRevision =
  | {
      kind: 'valid';
      /** With the new values, and with the documents that stay. */
      applicant: Applicant;
      newDocuments: readonly ApplicantDocument[];
      /** Of the new documents, by the name of the file. */
      contentTypes: ReadonlyMap<string, string>;
    }
  | RefusedApplicants;

/**
 * Reads and checks a file of new applicants: one in YAML or JSON, one in each row of a sheet. It is refused as a whole, with
 * all problems at once. Nothing is stored or logged: problems quote personal data, for the person who submitted it.
 */
export async function checkApplicants(file: ApplicantsFile, context: CheckContext): Promise<CheckedApplicants> {
  const read = await readApplicants(file, { isComplete: true });
  if (read.applicants === null) return refused(file, withPlace(file, read.problems));
  const terms = termsOf(file, context);
  const checked = read.applicants.map((raw) => checkApplicant(raw, terms));
  const problems = [
    ...withPlace(file, read.problems),
    ...checked.flatMap((one) => one.problems),
    ...repeatProblems(file.fileName, read.applicants),
    ...unnamedFiles(read.applicants, read.problems, context.files),
  ];
  const addresses = read.applicants.flatMap(addressOf);
  if (problems.length > 0) return refused(file, problems, addresses);
  const applicants = checked.flatMap(({ applicant }) => applicant ?? []);
  const documents = applicants.flatMap((applicant) => applicant.documents);
  return { kind: 'valid', applicants, addresses, contentTypes: contentTypesOf(documents, context.files) };
}

/**
 * Reads and checks new values for an applicant in the database: a file of the same form with only what changes. Null in YAML and
 * JSON removes a value; an empty cell of a sheet changes nothing; a document replaces the one in its slot.
 */
export async function checkRevision(
  file: ApplicantsFile,
  recorded: RecordedApplicant,
  context: CheckContext,
): Promise<CheckedRevision> {
  const read = await readApplicants(file, { isComplete: false });
  const [raw, second] = read.applicants ?? [];
  const formProblems = withPlace(file, read.problems);
  if (raw === undefined) return refused(file, formProblems);
  if (second !== undefined) formProblems.push(...withPlace(file, [onlyOne(second.line)]));
  const { applicant, newDocuments, problems } = checkChange(raw, recorded, termsOf(file, context));
  // What cannot be changed is said first: somebody may have given nothing else.
  if (formProblems.length + problems.length === 0 && !isChange(raw)) {
    return refused(file, withPlace(file, [NOTHING_GIVEN]));
  }
  const all = [
    ...formProblems,
    ...problems,
    ...repeatProblems(file.fileName, [raw]),
    ...unnamedFiles([raw], read.problems, context.files),
  ];
  if (applicant === null || all.length > 0) return refused(file, all);
  return { kind: 'valid', applicant, newDocuments, contentTypes: contentTypesOf(newDocuments, context.files) };
}

function termsOf({ fileName }: ApplicantsFile, { files, ...rest }: CheckContext): ApplicantTerms {
  return { fileName, files: filesByName(files), ...rest };
}

function withPlace({ fileName }: ApplicantsFile, problems: readonly FormProblem[]): ApplicantProblem[] {
  return problems.map((problem) => ({ ...problem, file: fileName, applicantRef: null, value: null }));
}

/** Files that no applicant names, in whatever capitals. What a misspelt key or column names is not known. */
function unnamedFiles(
  applicants: readonly RawApplicant[],
  formProblems: readonly FormProblem[],
  files: CheckContext['files'],
): ApplicantProblem[] {
  if (formProblems.some(({ code }) => code === 'unknown_document' || code === 'unknown_field')) return [];
  const given = new Set([...files.keys()].map(fileNameKey));
  const named = applicants.flatMap(({ documents }) => [...documents.values()].map(({ text }) => text?.trim() ?? ''));
  const exactly = new Set(named.map(fileNameKey));
  // Of a document that was given in other capitals, that is said there.
  const inCapitals = new Set(named.filter((name) => !given.has(fileNameKey(name))).map(capitalsKey));
  return [...files.keys()]
    .filter((name) => !exactly.has(fileNameKey(name)) && !inCapitals.has(capitalsKey(name)))
    .sort()
    .map((name) => ({
      code: 'document_unnamed',
      file: shownValue(name),
      line: null,
      applicantRef: null,
      field: null,
      value: null,
      problem: 'no applicant names this file',
      fix: 'name it in the file of the applicants, or leave it out',
    }));
}

/** None where reference or address are missing. */
function addressOf(raw: RawApplicant): GivenAddress[] {
  const textOf = (key: ApplicantKey): string => raw.values.get(key)?.text?.trim() ?? '';
  const [applicantRef, email] = [textOf('applicant_ref'), textOf('email')];
  if (applicantRef === '' || email === '') return [];
  return [
    { applicantRef, email, line: raw.values.get('email')?.line ?? null, takesOver: textOf('provider_user_id') !== '' },
  ];
}

function refused(
  { fileName }: Pick<ApplicantsFile, 'fileName'>,
  problems: readonly ApplicantProblem[],
  addresses: readonly GivenAddress[] = [],
): RefusedApplicants {
  return { kind: 'refused', addresses, ...listed(fileName, problems) };
}

/** Problems in the order of the file, the first 1,000 of them. */
export function listed(
  fileName: string,
  problems: readonly ApplicantProblem[],
): Pick<RefusedApplicants, 'problems' | 'problemCount'> {
  const sorted = [...problems].sort(
    (a, b) =>
      Number(a.file !== fileName) - Number(b.file !== fileName) ||
      (a.line ?? 0) - (b.line ?? 0) ||
      fieldPosition(a.field ?? '') - fieldPosition(b.field ?? ''),
  );
  return { problems: sorted.slice(0, MAX_LISTED_PROBLEMS), problemCount: problems.length };
}

function onlyOne(line: number | null): FormProblem {
  return {
    code: 'several_applicants',
    line,
    field: null,
    problem: 'new values are of one applicant, but the file has another line',
    fix: 'keep the line of this applicant alone',
  };
}

const NOTHING_GIVEN: FormProblem = {
  code: 'nothing_given',
  line: null,
  field: null,
  problem: 'the file has no new value and no document',
  fix: NOTHING_NEW_FIX,
};
