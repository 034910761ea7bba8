import type { Applicant } from '../../domain/onboarding/applicant.ts';
import type { ApplicantKey } from '../../domain/onboarding/applicant-fields.ts';
import type { ApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';
import { type ApplicantTerms, checkApplicant } from '../../domain/onboarding/check-applicant.ts';
import { type ApplicantFile, filesByName } from '../../domain/onboarding/check-documents.ts';
import type { RawApplicant } from '../../domain/onboarding/raw-applicant.ts';

export const TODAY = '2026-04-10';

export type Values = Partial<Record<ApplicantKey, string | null>>;
export type Documents = Readonly<Record<string, string | null>>;

const person: Values = {
  applicant_ref: 'EX-1',
  account_type: 'individual',
  email: 'ana@example.com',
  first_name: 'Ana',
  last_name: 'Muestra',
  mobile_country_code: '+65',
  mobile_number: '81234567',
  gender: 'female',
  country_of_birth: 'Spain',
  nationality: 'ES',
  country_of_residence: 'SG',
  residential_address: '1 Example Road #01-01',
  country_code: 'SG',
  postal_code: '000101',
  date_of_birth: '1990-12-31',
  identification_type: 'passport',
  identification_number: 'X0000001',
  issue_date: '2020-05-04',
  expiry_date: '2030-05-03',
  employment_industry: 'Construction',
  employment_status: 'Employed',
  employment_position: 'Entry Level',
};

const company: Values = {
  account_type: 'company',
  company_name: 'Example Spices Pte. Ltd.',
  company_country_of_incorporation: 'GB',
  company_country_of_operations: 'SG',
  company_business_type: 'Food & Beverages',
  company_address: '21 Example Wharf',
  company_postal_code: '000121',
  company_state: 'Example State',
  company_city: 'Singapore',
  company_registration_number: 'EX-21',
  company_incorporation_date: '2012-03-14',
};

export const PERSON_DOCUMENTS: Documents = { passport: 'passport.pdf', utility_bill: 'bill.pdf' };
export const COMPANY_DOCUMENTS: Documents = {
  passport: 'passport.pdf',
  company_proof: 'proof.pdf',
  company_address_proof: 'address.pdf',
};

export const PDF = Buffer.from('%PDF-1.4\n');

export function aFile(change: Partial<ApplicantFile> = {}): ApplicantFile {
  return { sizeBytes: 1_000, firstBytes: PDF, ...change };
}

/** A valid individual on line 2 of a CSV, with some values changed; undefined: not given. */
export function anIndividual(changes: Values = {}, documents: Documents = PERSON_DOCUMENTS): RawApplicant {
  return aRaw({ ...person, ...changes }, documents);
}

export function aCompany(changes: Values = {}, documents: Documents = COMPANY_DOCUMENTS): RawApplicant {
  return aRaw({ ...person, ...company, ...changes }, documents);
}

export function aRaw(values: Values, documents: Documents, line: number | null = 2): RawApplicant {
  const given = Object.entries(values) as [ApplicantKey, string | null | undefined][];
  return {
    line,
    values: new Map(given.flatMap(([key, text]) => (text === undefined ? [] : [[key, { line, text }]]))),
    documents: new Map(
      Object.entries(documents).map(([slot, text]) => [slot, { field: `document_${slot}`, line, text }]),
    ),
    documentPrefix: 'document_',
    reported: new Set(),
    misnamedTypes: new Set(),
  };
}

/** Every document is a good PDF unless `files` says otherwise. */
export function termsWith({
  files = {},
  ...changes
}: Partial<Omit<ApplicantTerms, 'files'>> & { files?: Record<string, ApplicantFile> } = {}): ApplicantTerms {
  const good = ['passport', 'bill', 'proof', 'address', 'second'].map((name) => [`${name}.pdf`, aFile()] as const);
  return {
    fileName: 'applicants.csv',
    files: filesByName(new Map([...good, ...Object.entries(files)])),
    countries: [
      { code: 'SG', diallingCode: '+65', name: 'Singapore' },
      { code: 'ES', diallingCode: '+34', name: 'Spain' },
      { code: 'GB', diallingCode: '+44', name: 'United Kingdom' },
      { code: 'AQ', diallingCode: null, name: null },
    ],
    requirements: [
      { accountType: 'individual', countries: null, documents: [['passport', 'nric'], ['utility_bill']] },
      {
        accountType: 'company',
        countries: null,
        documents: [['company_proof'], ['company_address_proof'], ['passport']],
      },
    ],
    today: TODAY,
    ...changes,
  };
}

export function check(raw: RawApplicant, terms = termsWith()): ReturnType<typeof checkApplicant> {
  return checkApplicant(raw, terms);
}

/** An applicant that must be valid. */
export function validOf(raw: RawApplicant, terms = termsWith()): Applicant {
  const { applicant, problems } = check(raw, terms);
  if (applicant === null) throw new Error(`unexpected: ${JSON.stringify(problems)}`);
  return applicant;
}

/** Field and code of each problem. */
export function found({ problems }: { problems: readonly ApplicantProblem[] }): string[] {
  return problems.map(({ field, code }) => `${field ?? ''} ${code}`);
}
