import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { ApplicantsToSubmit, FileToSubmit } from '../../../client/sdk/index.ts';
import { caseIdOf } from '../../../domain/onboarding/case-id.ts';
import { DEFAULT_ACCOUNT } from '../../../domain/identifiers.ts';
import { csvOf } from '../../../fixtures/payment-rows.ts';
import { SeededRandom } from '../../../sandbox/core/seeded-random.ts';
import type { ApplicantPlan, OnboardingScenario } from './onboarding-scenario.ts';

/** In every text of an applicant and nowhere else, so that it is found wherever it should not be. */
export const MARK = 'Quillfeather';

/** What the onboarder has given by a revision of the case: all values, and the files by slot. */
export interface Given {
  values: Readonly<Record<string, string>>;
  documents: ReadonlyMap<string, GivenDocument>;
}

export interface GivenDocument extends FileToSubmit {
  sha256: string;
  /** The revision that brought the file. */
  revision: number;
}

export interface ScenarioApplicant {
  plan: ApplicantPlan;
  applicantRef: string;
  caseId: string;
  email: string;
  /** Of the mail address in lower case. */
  emailSha256: string;
  /** By revision of the case, from 1. */
  given: Map<number, Given>;
}

export const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The slots of a person's and of a company's documents. The first one is required on the fault stack. */
const SLOTS = {
  individual: ['passport', 'utility_bill', 'passport_2'],
  company: ['company_proof', 'company_address_proof', 'passport'],
} as const;

/** The applicants of a scenario. A new `tag` for each scenario of a stack makes them new to it. */
export function applicantsOf({ seed, applicants }: OnboardingScenario, tag: number): ScenarioApplicant[] {
  const random = new SeededRandom(`${seed}/files`);
  return applicants.map((plan, index) => {
    const applicantRef = `faults-${tag}-${index + 1}`;
    const email = `${MARK}-${tag}-${index + 1}@example.com`;
    const slots = SLOTS[plan.accountType].slice(0, plan.documents);
    const documents = slots.map(
      (slot) => [slot, documentOf(applicantRef, slot, 1, random.between(100, 4_000))] as const,
    );
    return {
      plan,
      applicantRef,
      caseId: caseIdOf(DEFAULT_ACCOUNT, applicantRef),
      email,
      emailSha256: sha256Of(email.toLowerCase()),
      given: new Map([[1, { values: valuesOf(plan, { applicantRef, email }, index), documents: new Map(documents) }]]),
    };
  });
}

/** A PDF that no other slot or revision has. */
export function documentOf(applicantRef: string, slot: string, revision: number, sizeBytes = 500): GivenDocument {
  const name = `${MARK}-${applicantRef}-${slot}-${revision}.pdf`;
  const bytes = Buffer.from(`%PDF-1.4\n% ${name}\n`.padEnd(sizeBytes, '.'));
  return { name, contentType: 'application/pdf', bytes, sha256: sha256Of(bytes), revision };
}

function valuesOf(
  plan: ApplicantPlan,
  { applicantRef, email }: { applicantRef: string; email: string },
  index: number,
): Record<string, string> {
  const ownMark = `${MARK} ${index + 1}`;
  return {
    applicant_ref: applicantRef,
    account_type: plan.accountType,
    email,
    first_name: plan.firstName === 'usual' ? ownMark : `${plan.firstName} ${ownMark}`,
    last_name: `${MARK} Example`,
    ...PERSON,
    residential_address: `${ownMark} Street`,
    postal_code: String(118_000 + index),
    identification_number: `${MARK}${index + 1}`,
    ...(index % 2 === 0 ? { title: 'Dr', alias_name: `${ownMark} Alias`, city: 'Singapore' } : {}),
    ...(plan.accountType === 'company' ? { ...COMPANY, company_name: `${ownMark} Pte Ltd` } : {}),
    // Numbers, and texts that only look like numbers.
    ...(plan.accountType === 'company' ? { company_postal_code: `${index % 2}18957` } : {}),
  };
}

const PERSON = {
  mobile_country_code: '+65',
  mobile_number: '81234567',
  gender: 'female',
  country_of_birth: 'SG',
  nationality: 'SG',
  country_of_residence: 'SG',
  country_code: 'SG',
  date_of_birth: '1990-02-03',
  identification_type: 'passport',
  issue_date: '2020-01-02',
  expiry_date: '2035-11-12',
  employment_industry: 'Information Technology',
  employment_status: 'Employed',
  employment_position: 'Senior Level/Executive',
};

const COMPANY = {
  company_country_of_incorporation: 'SG',
  company_country_of_operations: 'SG',
  company_business_type: 'Information Technology',
  company_address: `${MARK} Road`,
  company_state: 'Central',
  company_city: 'Singapore',
  company_registration_number: `${MARK}201912345K`,
  company_incorporation_date: '2019-03-14',
};

/** What an applicant gives first. */
export function firstGiven({ given, applicantRef }: ScenarioApplicant): Given {
  const first = given.get(1);
  if (first === undefined) throw new Error(`${applicantRef} gave nothing`);
  return first;
}

/** One file with all these applicants, one a line. */
export function csvSubmission(applicants: readonly ScenarioApplicant[]): ApplicantsToSubmit {
  const rows = applicants.map((applicant) => {
    const { values, documents } = firstGiven(applicant);
    const named = [...documents].map(([slot, { name }]) => [`document_${slot}`, name] as const);
    return { ...values, ...Object.fromEntries(named) };
  });
  const documents = applicants.flatMap((applicant) => [...firstGiven(applicant).documents.values()]);
  return { fileName: 'applicants.csv', content: csvOf(rows), documents };
}

/** One applicant's own file. */
export function yamlSubmission(applicant: ScenarioApplicant, providerUserId: string | null): ApplicantsToSubmit {
  const { values, documents } = firstGiven(applicant);
  return {
    fileName: 'applicant.yaml',
    content: yamlOf({ ...values, ...(providerUserId === null ? {} : { provider_user_id: providerUserId }) }, [
      ...documents,
    ]),
    documents: [...documents.values()],
  };
}

/** A file of values, with the files of these slots. */
export function yamlOf(
  values: Readonly<Record<string, string>>,
  documents: readonly (readonly [string, GivenDocument])[],
): string {
  const names = Object.fromEntries(documents.map(([slot, { name }]) => [slot, name]));
  return stringify({ ...values, ...(documents.length === 0 ? {} : { documents: names }) });
}
