import type { Applicant, ApplicantDocument } from './applicant.ts';
import { type ApplicantKey, applicantValues, COMPANY_KEYS, SIGN_UP_KEYS } from './applicant-fields.ts';
import type { ApplicantProblem } from './applicant-problem.ts';
import { ApplicantValidation, type ValueIssue } from './applicant-validation.ts';
import { type ApplicantTerms, checkApplicant } from './check-applicant.ts';
import { mailAddressKey } from './check-repeats.ts';
import type { RawApplicant, RawValue } from './raw-applicant.ts';

/** An applicant in the database. The provider takes no change of a company once its screening has begun. */
export interface RecordedApplicant {
  current: Applicant;
  isCompanyFixed: boolean;
}

/**
 * New values for an applicant in the database: the applicant with them, checked against every rule. What is not given stays as it is,
 * null removes a value, and a document replaces the one in its slot.
 */
export function checkChange(
  raw: RawApplicant,
  { current, isCompanyFixed }: RecordedApplicant,
  terms: ApplicantTerms,
): { applicant: Applicant | null; newDocuments: readonly ApplicantDocument[]; problems: ApplicantProblem[] } {
  const change = new ApplicantValidation(terms.fileName, raw);
  for (const [key, value] of raw.values) checkChangedValue(change, key, value, current);
  for (const document of raw.documents.values()) {
    if ((document.text?.trim() ?? '') === '') change.addDocumentProblem(document, NO_REMOVAL);
  }
  const replaced = new Set([...raw.documents].flatMap(([slot, { text }]) => ((text?.trim() ?? '') === '' ? [] : slot)));
  const stored = current.documents.filter(({ slot }) => !replaced.has(slot));
  const checked = checkApplicant(changed(raw, current, change), terms, stored);
  if (isCompanyFixed) checkCompanyKept(change, current, checked.applicant);
  const problems = [...change.problems, ...checked.problems].map((problem) => ({
    ...problem,
    applicantRef: current.applicantRef,
  }));
  const applicant = problems.length === 0 ? checked.applicant : null;
  return {
    applicant,
    newDocuments: applicant?.documents.filter(({ slot }) => raw.documents.has(slot)) ?? [],
    problems,
  };
}

/** Whether a file gives something that can change. */
export function isChange(raw: RawApplicant): boolean {
  const keys = [...raw.values.keys(), ...raw.reported];
  return raw.documents.size > 0 || keys.some((key) => !SIGN_UP_KEYS.includes(key));
}

function checkChangedValue(
  change: ApplicantValidation,
  key: ApplicantKey,
  { text }: RawValue,
  current: Applicant,
): void {
  if (change.hasProblem(key)) return;
  if (text !== null && text.trim() === '') {
    change.addProblem(key, emptyValue(key));
    return;
  }
  if (isSame(key, change.text(key), applicantValues(current)[key] ?? '')) return;
  if (SIGN_UP_KEYS.includes(key)) {
    change.addProblem(key, key === 'applicant_ref' ? OTHER_REFERENCE : fixedValue(key));
  }
}

/** In the form in which they are stored: a day may have been given in another one. */
function checkCompanyKept(change: ApplicantValidation, current: Applicant, next: Applicant | null): void {
  const before = applicantValues(current);
  const after = next === null ? before : applicantValues(next);
  for (const key of COMPANY_KEYS) {
    if (after[key] !== before[key]) change.addProblem(key, fixedCompany(key));
  }
}

function isSame(key: ApplicantKey, given: string, known: string): boolean {
  return key === 'email' ? mailAddressKey(given) === mailAddressKey(known) : given === known;
}

/** The applicant in the database with the new values, as if one file had all of them. */
function changed(raw: RawApplicant, current: Applicant, change: ApplicantValidation): RawApplicant {
  const values = new Map<ApplicantKey, RawValue>();
  for (const [key, text] of Object.entries(applicantValues(current)) as [ApplicantKey, string][]) {
    values.set(key, { line: null, text });
  }
  for (const [key, value] of raw.values) if (!SIGN_UP_KEYS.includes(key)) values.set(key, value);
  const withProblem = [...raw.values.keys()].filter((key) => change.hasProblem(key));
  return { ...raw, line: null, values, reported: new Set([...raw.reported, ...withProblem]) };
}

function emptyValue(key: ApplicantKey): ValueIssue {
  return {
    code: 'empty_value',
    problem: `${key} is an empty text`,
    fix: 'write null to remove the value, or leave the key out to keep it',
  };
}

function fixedValue(key: ApplicantKey): ValueIssue {
  return {
    code: 'fixed_value',
    problem: `${key} was sent with the sign-up and cannot be changed`,
    fix: 'leave it out; if it is wrong, withdraw the case, or ask the provider',
  };
}

function fixedCompany(key: ApplicantKey): ValueIssue {
  return {
    code: 'fixed_value',
    problem: `${key} cannot be changed: the provider takes no change of a company once its screening has begun`,
    fix: 'leave it out; if it is wrong, ask the provider to change it',
  };
}

const OTHER_REFERENCE: ValueIssue = {
  code: 'other_reference',
  problem: 'applicant_ref is that of another case',
  fix: 'choose the case of this applicant, or leave applicant_ref out',
};

const NO_REMOVAL: ValueIssue = {
  code: 'document_removal',
  problem: 'a document cannot be removed',
  fix: 'leave it out to keep it, or name the file that replaces it',
};
