import { randomUUID } from 'node:crypto';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { caseIdOf } from '../../domain/onboarding/case-id.ts';
import type { CaseState } from '../../domain/onboarding/case-state.ts';
import { mailIndex } from '../../store/onboarding/case-content.ts';
import { addCasesAs } from '../../store/onboarding/case-decisions.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';

export const CASE_ACCOUNT = 'default';

export function anApplicant(values: Partial<Applicant> = {}): Applicant {
  const applicantRef = `ref-${randomUUID()}`;
  return {
    applicantRef,
    accountType: 'individual',
    providerUserId: null,
    email: `${applicantRef}@example.com`,
    language: null,
    signUpCountry: 'SG',
    details: { firstName: 'Anna', lastName: 'Example' },
    company: null,
    documents: [],
    ...values,
  };
}

/** A case that an onboarder submitted; in the state without any of the ways there. */
export async function aStoredCase(
  testDatabase: TestDatabase,
  onboarder: TestUser,
  state: CaseState = 'draft',
  values: Partial<Applicant> = {},
): Promise<string> {
  const applicant = anApplicant(values);
  const caseId = caseIdOf(CASE_ACCOUNT, applicant.applicantRef);
  const hmacOf = await mailIndex(testDatabase.asServer, TEST_DATA_KEYS);
  await addCasesAs(testDatabase.asServer, onboarder.tokenHash, TEST_DATA_KEYS, {
    account: CASE_ACCOUNT,
    cases: [{ caseId, emailHmac: hmacOf(applicant.email), applicant, files: [] }],
  });
  await bypassTriggers(testDatabase.database, 'update cases set state = $2 where case_id = $1', [caseId, state]);
  return caseId;
}
