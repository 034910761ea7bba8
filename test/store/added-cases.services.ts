import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Applicant } from '../../domain/onboarding/applicant.ts';
import { caseIdOf } from '../../domain/onboarding/case-id.ts';
import { mailIndex } from '../../store/onboarding/case-content.ts';
import { addCasesAs } from '../../store/onboarding/case-decisions.ts';
import { TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { anApplicant, CASE_ACCOUNT } from './a-stored-case.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let olivia: TestUser;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  olivia = await aUser(testDatabase, 'Olivia', 'onboarder');
});
afterAll(() => testDatabase.drop());

async function add(...applicants: Applicant[]): Promise<string[]> {
  const hmacOf = await mailIndex(testDatabase.asServer, TEST_DATA_KEYS);
  const cases = applicants.map((applicant) => ({
    ...{ caseId: caseIdOf(CASE_ACCOUNT, applicant.applicantRef), emailHmac: hmacOf(applicant.email), applicant },
    files: [],
  }));
  const added = { account: CASE_ACCOUNT, cases };
  return [...(await addCasesAs(testDatabase.asServer, olivia.tokenHash, TEST_DATA_KEYS, added))];
}

const stored = async (...applicants: Applicant[]): Promise<number> => {
  const { rows } = await testDatabase.database.query<{ n: number }>(
    'select count(*)::int as n from cases join case_revisions using (case_id) where applicant_ref = any($1)',
    [applicants.map(({ applicantRef }) => applicantRef)],
  );
  return rows[0]?.n ?? 0;
};

test('the applicants of a submission are stored together, or none of them', async () => {
  const [one, other, third] = [anApplicant(), anApplicant(), anApplicant()];
  expect(await add(one, other)).toHaveLength(2);
  // Somebody submits the third one under a mail address that is known by then.
  const again = anApplicant({ email: one.email });
  await expect(add(third, again)).rejects.toMatchObject(refusedWith('conflict'));
  expect(await stored(one, other, third, again)).toBe(2);
  expect(await add(other, third)).toEqual([caseIdOf(CASE_ACCOUNT, third.applicantRef)]);
});
