import { expect } from 'vitest';
import { stringify } from 'yaml';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import { type CaseState, stageOfCase } from '../../domain/onboarding/case-state.ts';
import type { RunningSandbox } from '../../sandbox/server.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import type { TestUser } from './users.ts';
import { until } from './until.ts';

/** Applicants of tests, as an onboarder would write their files. */

export type ApplicantValues = Record<string, string | Record<string, string>>;

/** A value that is a text. */
export function textIn(values: ApplicantValues, key: string): string {
  const value = values[key];
  return typeof value === 'string' ? value : '';
}

let count = 0;

const PERSON = {
  first_name: 'Anna',
  last_name: 'Example',
  mobile_country_code: '+65',
  mobile_number: '81234567',
  gender: 'female',
  country_of_birth: 'SG',
  nationality: 'SG',
  country_of_residence: 'SG',
  residential_address: '1 Example Street',
  country_code: 'SG',
  postal_code: '018956',
  date_of_birth: '1990-02-03',
  identification_type: 'passport',
  identification_number: 'E1234567',
  issue_date: '2020-01-02',
  expiry_date: '2035-01-01',
  employment_industry: 'Information Technology',
  employment_status: 'Employed',
  employment_position: 'Senior Level/Executive',
};

const COMPANY = {
  company_name: 'Example Trading Pte Ltd',
  company_country_of_incorporation: 'SG',
  company_country_of_operations: 'SG',
  company_business_type: 'Information Technology',
  company_address: '2 Example Street',
  company_postal_code: '018957',
  company_state: 'Singapore',
  company_city: 'Singapore',
  company_registration_number: '201912345K',
  company_incorporation_date: '2019-03-04',
};

/** An applicant that no other test has. */
export function anIndividual(values: ApplicantValues = {}): ApplicantValues {
  count += 1;
  return {
    applicant_ref: `person-${count}`,
    account_type: 'individual',
    email: `person-${count}@example.com`,
    ...PERSON,
    documents: { passport: 'passport.pdf', utility_bill: 'bill.pdf' },
    ...values,
  };
}

export function aCompany(values: ApplicantValues = {}): ApplicantValues {
  count += 1;
  return {
    applicant_ref: `company-${count}`,
    account_type: 'company',
    email: `company-${count}@example.com`,
    ...PERSON,
    ...COMPANY,
    documents: { passport: 'passport.pdf', company_proof: 'tokenHash.pdf', company_address_proof: 'address.pdf' },
    ...values,
  };
}

/** A PDF whose content names its file. */
export function aPdf(name: string): Uint8Array {
  return Buffer.from(`%PDF-1.4\n% ${name}\n`.padEnd(400, '.'));
}

export function filesNamedIn(values: ApplicantValues): { name: string; bytes: Uint8Array }[] {
  const documents = typeof values['documents'] === 'object' ? Object.values(values['documents']) : [];
  return [...new Set(documents)].map((name) => ({ name, bytes: aPdf(name) }));
}

/** Submits one applicant; answers the id of the case. Throws when the file is refused. */
export async function submitApplicant(
  { application }: Pick<PayrunUnderTest, 'application'>,
  user: TestUser,
  values: ApplicantValues,
): Promise<string> {
  const outcome = await application.submitApplicants(user, {
    account: null,
    fileName: 'applicant.yaml',
    content: Buffer.from(stringify(values)),
    format: 'yaml',
    files: filesNamedIn(values),
    dryRun: false,
  });
  if (outcome.kind === 'refused') throw new Error(`the applicant was refused: ${JSON.stringify(outcome.problems)}`);
  return outcome.cases[0]?.caseId ?? '';
}

export async function supply(
  { application }: Pick<PayrunUnderTest, 'application'>,
  user: TestUser,
  caseId: string,
  values: ApplicantValues,
): Promise<void> {
  const revision = (await application.findCase(user, caseId, { withValues: false }))?.revision ?? 0;
  const outcome = await application.supplyCase(user, caseId, {
    revision,
    fileName: 'new-values.yaml',
    content: Buffer.from(stringify(values)),
    format: 'yaml',
    files: filesNamedIn(values),
  });
  if (outcome.kind === 'refused') throw new Error(`the values were refused: ${JSON.stringify(outcome.problems)}`);
}

/** Waits until the case has the state. Throws with the case when it ends in another one. */
export function untilCase(
  { application }: Pick<PayrunUnderTest, 'application'>,
  user: TestUser,
  caseId: string,
  state: CaseState,
): Promise<CaseDetail> {
  return until(async () => {
    const shown = await application.findCase(user, caseId, { withValues: true });
    if (shown === null) throw new Error('there is no such case');
    if (shown.state !== state && stageOfCase(shown.state) === 'ended') {
      throw new Error(`the case is ${shown.state} (${shown.stateReason ?? ''}) and not ${state}`);
    }
    return shown.state === state && shown;
  });
}

/** What the operator of the provider decides about a user. */
export async function decideUser(
  sandbox: RunningSandbox,
  userId: string,
  status: string,
  reason?: string,
): Promise<void> {
  const answer = await fetch(`${sandbox.url}/__sandbox/force`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId, status, ...(reason === undefined ? {} : { reason }) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** How often each operation was requested, and who was signed up more than once. */
export async function onboardingLedger(
  sandbox: RunningSandbox,
): Promise<{ signedUpMoreThanOnce: string[][]; users: Record<string, number>; requests: Record<string, number> }> {
  const answer = await fetch(`${sandbox.url}/__sandbox/ledger`);
  const { signedUpMoreThanOnce, users, requests } = (await answer.json()) as {
    signedUpMoreThanOnce: string[][];
    users: Record<string, number>;
    requests: { byOperation: Record<string, number> };
  };
  return { signedUpMoreThanOnce, users, requests: requests.byOperation };
}

export async function expectSignedUpOnce(sandbox: RunningSandbox): Promise<void> {
  expect((await onboardingLedger(sandbox)).signedUpMoreThanOnce).toEqual([]);
}
