import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import { expectFoundByEvents, expectNeverCreatedByPeople } from '../helpers/lost-sign-ups.ts';
import { anIndividual, expectSignedUpOnce, submitApplicant, untilCase } from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** A sign-up whose answer is lost. Lost in other ways, and the other requests: onboarding-lost-answers.long.ts. */

let payrun: PayrunUnderTest;
let onboarder: TestUser;
let second: TestUser;

beforeAll(async () => {
  const sandbox = { screeningOutcome: 'operator', secondSignUp: 'accept' } as const;
  // Without ids in answers, or events of sign-ups, people resolve every case.
  payrun = await startPayrun({ sandbox: { ...sandbox, signupUserId: 'returned', userEvents: 'every' } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
  second = await aUser(payrun.testDatabase, 'Omar Onboarder', 'onboarder');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

async function caseOf(caseId: string): Promise<CaseDetail> {
  const shown = await payrun.application.findCase(onboarder, caseId, { withValues: false });
  if (shown === null) throw new Error('there is no such case');
  return shown;
}

describe('a sign-up', () => {
  test('whose answer is lost is found by the event of its user, and not repeated', () =>
    expectFoundByEvents({ payrun, onboarder }, 'error_after', 'not_json_after'));

  test('that never reached the provider stays unknown until two people say so, and is not repeated', async () => {
    const [values] = await expectNeverCreatedByPeople({ payrun, onboarder }, second, 'error_before', 'reset_before');
    // The applicant may be submitted again, as another case.
    const again = { ...anIndividual(), email: values?.['email'] ?? '' };
    await untilCase(payrun, onboarder, await submitApplicant(payrun, onboarder, again), 'screening');
    await expectSignedUpOnce(payrun.sandbox);
  });

  test('is resolved by a user id only if the provider shows the same person under it', async () => {
    const other = await untilCase(
      payrun,
      onboarder,
      await submitApplicant(payrun, onboarder, anIndividual({ first_name: 'Berta' })),
      'screening',
    );
    await orderFaults(payrun.sandbox, { operation: 'user-signup-v2', kind: 'error_before' });
    const caseId = await submitApplicant(payrun, onboarder, anIndividual());
    await untilCase(payrun, onboarder, caseId, 'unknown');
    const proposal = { outcome: 'signed_up', userId: other.userId ?? '', reason: 'told by the provider' } as const;
    const { manualOutcomes } = await payrun.application.proposeCaseManualOutcome(onboarder, caseId, proposal);
    const seen = { manualOutcomeId: manualOutcomes[0]?.manualOutcomeId ?? '' };
    await payrun.application.confirmCaseManualOutcome(second, caseId, seen);
    await until(async () => (await caseOf(caseId)).manualOutcomes[0]?.state === 'contradicted');
    expect(await caseOf(caseId)).toMatchObject({ state: 'unknown', userId: null });
  });
});
