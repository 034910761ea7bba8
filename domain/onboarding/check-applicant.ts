import type { Applicant, ApplicantCompany, ApplicantDetails, ApplicantDocument } from './applicant.ts';
import { APPLICANT_FIELDS, type ApplicantField, type ApplicantKey } from './applicant-fields.ts';
import type { ApplicantProblem } from './applicant-problem.ts';
import { ApplicantValidation } from './applicant-validation.ts';
import type { CountryList } from './check-country.ts';
import { checkDays } from './check-day.ts';
import { checkDocuments, type NamedFile } from './check-documents.ts';
import { textIssue } from './check-text.ts';
import { checkForm } from './check-value.ts';
import { type DocumentRequirements, missingDocuments } from './document-requirements.ts';

/** What an applicant is checked against. */
export interface ApplicantTerms {
  /** The name of the applicants' file, for problems. */
  fileName: string;
  /** The documents given beside the file, as `filesByName` has them. */
  files: ReadonlyMap<string, NamedFile>;
  countries: CountryList;
  requirements: DocumentRequirements;
  /** YYYY-MM-DD, in the time zone of the account. */
  today: string;
}

/**
 * Checks one applicant against every rule, so that one round of corrections is enough: everything that the screening
 * requires must be given. `storedDocuments` are recorded and stay. Contract: account 2.1, 2.4, 2.5, 2.6.
 */
export function checkApplicant(
  raw: ApplicantValidation['raw'],
  terms: ApplicantTerms,
  storedDocuments: readonly ApplicantDocument[] = [],
): { applicant: Applicant | null; problems: ApplicantProblem[] } {
  const applicant = new ApplicantValidation(terms.fileName, raw);
  for (const field of APPLICANT_FIELDS) checkValue(applicant, field, terms.countries);
  checkNeeds(applicant);
  checkDays(applicant, terms.today);
  const documents = [...storedDocuments, ...checkDocuments(applicant, terms.files)];
  checkRequiredDocuments(applicant, documents, terms.requirements);
  const { problems } = applicant;
  return { applicant: problems.length === 0 ? applicantOf(applicant, documents) : null, problems };
}

function checkValue(applicant: ApplicantValidation, field: ApplicantField, countries: CountryList): void {
  const text = applicant.text(field.key);
  if (text === '' || applicant.hasProblem(field.key)) return;
  const issue = textIssue(field.key, text, field.maxLength);
  const checked = issue ?? checkForm(text, field, countries);
  if ('value' in checked) applicant.accept(field.key, checked.value);
  else applicant.addProblem(field.key, checked);
}

/** Which fields must be given, and which must not. */
function checkNeeds(applicant: ApplicantValidation): void {
  const accountType = applicant.accepted('account_type');
  for (const { key, part, need } of APPLICANT_FIELDS) {
    if (part === 'company' && accountType !== 'company') {
      if (accountType === 'individual' && applicant.text(key) !== '') refuseForIndividual(applicant, key);
      continue;
    }
    if (need === 'sign_up') requireValue(applicant, key, 'the sign-up requires it');
    else if (need === 'screening') requireValue(applicant, key, 'the screening requires it');
    else if (need === 'passport' && applicant.accepted('identification_type') === 'passport') {
      requireValue(applicant, key, 'the screening requires it for a passport');
    }
  }
}

function requireValue(applicant: ApplicantValidation, key: ApplicantKey, why: string): void {
  if (applicant.text(key) !== '' || applicant.hasProblem(key)) return;
  applicant.addProblem(key, { code: 'missing_value', problem: `${key} is empty, but ${why}`, fix: 'fill it in' });
}

function refuseForIndividual(applicant: ApplicantValidation, key: ApplicantKey): void {
  if (applicant.hasProblem(key)) return;
  applicant.addProblem(key, {
    code: 'not_for_individual',
    problem: `${key} is given, but account_type is individual`,
    fix: 'remove it, or correct account_type',
  });
}

/** Without a country, only requirements that apply to any country are checked. */
function checkRequiredDocuments(
  applicant: ApplicantValidation,
  documents: readonly ApplicantDocument[],
  requirements: DocumentRequirements,
): void {
  const accountType = applicant.accepted('account_type');
  if (accountType !== 'company' && accountType !== 'individual') return;
  const given = new Set([...documents.map(({ documentType }) => documentType), ...applicant.raw.misnamedTypes]);
  for (const types of missingDocuments(requirements, { accountType, country: signUpCountryOf(applicant) }, given)) {
    const [first = ''] = types;
    applicant.addDocumentTypeProblem(first, {
      code: 'document_required',
      problem: `the applicant has no document ${types.join(' or ')}`,
      fix: types.length === 1 ? `give a ${first}` : 'give one of these',
    });
  }
}

/** As given, else where the person lives or the company was incorporated; null if that is unknown or wrong. */
function signUpCountryOf(applicant: ApplicantValidation): string | null {
  if (applicant.text('sign_up_country') !== '') return applicant.accepted('sign_up_country');
  return applicant.accepted(
    applicant.accepted('account_type') === 'company' ? 'company_country_of_incorporation' : 'country_of_residence',
  );
}

/** Only of an applicant without problems. */
function applicantOf(applicant: ApplicantValidation, documents: readonly ApplicantDocument[]): Applicant {
  const partOf = (part: ApplicantField['part']) =>
    Object.fromEntries(
      APPLICANT_FIELDS.filter((field) => field.part === part).flatMap(({ key, field }) => {
        const value = applicant.accepted(key);
        return value === null ? [] : [[field, value] as const];
      }),
    );
  const own = partOf('applicant') as Pick<Applicant, 'applicantRef' | 'accountType' | 'email'> &
    Partial<Pick<Applicant, 'providerUserId' | 'language'>>;
  return {
    applicantRef: own.applicantRef,
    accountType: own.accountType,
    providerUserId: own.providerUserId ?? null,
    email: own.email,
    language: own.language ?? null,
    signUpCountry: signUpCountryOf(applicant) ?? '',
    details: partOf('details') as ApplicantDetails,
    company: own.accountType === 'company' ? (partOf('company') as ApplicantCompany) : null,
    documents,
  };
}
