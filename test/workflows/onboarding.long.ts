import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  aCompany,
  anIndividual,
  decideUser,
  onboardingLedger,
  submitApplicant,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

describe('an applicant', () => {
  let payrun: PayrunUnderTest;
  let onboarder: TestUser;

  beforeAll(async () => {
    payrun = await startPayrun({
      sandbox: { screeningOutcome: 'operator', secondSignUp: 'accept', signupUserId: 'returned' },
    });
    onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
  });
  afterAll(() => payrun.stop());

  test('of a company has its company recorded', async () => {
    const caseId = await submitApplicant(payrun, onboarder, aCompany());
    const screened = await untilCase(payrun, onboarder, caseId, 'screening');
    await decideUser(payrun.sandbox, screened.userId ?? '', 'rejected', 'the company is unknown');
    const rejected = await untilCase(payrun, onboarder, caseId, 'rejected');
    expect(rejected.requests.map(({ operation }) => operation)).toContain('company');
  });
});

describe('a sign-up whose answer has no user id', () => {
  let without: PayrunUnderTest;
  let onboarderThere: TestUser;

  beforeAll(async () => {
    without = await startPayrun({
      sandbox: {
        screeningOutcome: 'approved',
        secondSignUp: 'accept',
        signupUserId: 'omitted',
        userEvents: 'every',
        initialUserStatus: 'pending_phone',
      },
    });
    onboarderThere = await aUser(without.testDatabase, 'Olivia Onboarder', 'onboarder');
  });
  afterAll(() => without.stop());

  test('is found by the event of its user, by mail address and names', async () => {
    const caseId = await submitApplicant(without, onboarderThere, anIndividual());
    await untilCase(without, onboarderThere, caseId, 'approved');
    expect((await onboardingLedger(without.sandbox)).requests['user-signup-v2']).toBe(1);
  });
});
