import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import { expectFoundByEvents, expectNeverCreatedByPeople } from '../helpers/lost-sign-ups.ts';
import {
  aCompany,
  anIndividual,
  decideUser,
  expectSignedUpOnce,
  submitApplicant,
  supply,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, expectAllFaultsApplied, orderEach, orderFaults } from '../helpers/sandbox-control.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/**
 * Every request of the way with its answer lost, refused for a while, or late; of the sign-up what
 * onboarding-lost-answers.services.ts leaves out.
 */

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  const sandbox = { screeningOutcome: 'operator', secondSignUp: 'accept' } as const;
  // Without ids in answers, or events of sign-ups, people resolve every case.
  payrun = await startPayrun({ sandbox: { ...sandbox, signupUserId: 'returned', userEvents: 'every' } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

const BEFORE: readonly FaultKind[] = ['error_before', 'error_html_before', 'reset_before', 'rate_limited', 'slow'];
const AFTER: readonly FaultKind[] = ['error_after', 'reset_after', 'cut_after', 'not_json_after', 'slow_after'];

/**
 * Together, save where a second fault of the same applicant would be another story: after two screenings without effect the
 * provider has to be asked.
 */
function roundsOf(operation: string): readonly (readonly FaultKind[])[] {
  if (operation === 'user-screen') return [...BEFORE.map((kind) => [kind]), AFTER];
  return [[...BEFORE, ...AFTER].filter((kind) => kind !== 'not_json_after' || !operation.endsWith('-file'))];
}

describe('whatever becomes of the answer to', () => {
  test.each([
    'user-get',
    'user-detail-patch',
    'company-patch',
    'document-create',
    'document-get',
    'document-upload-file',
    'document-download-file',
    'user-detail-get',
    'user-screen',
  ])('%s, the applicant is screened', async (operation) => {
    for (const kinds of roundsOf(operation)) {
      await orderEach(payrun.sandbox, operation, kinds);
      const values = kinds.map(() => (operation.startsWith('company') ? aCompany() : anIndividual()));
      const caseIds = await Promise.all(values.map((each) => submitApplicant(payrun, onboarder, each)));
      for (const caseId of caseIds) {
        const screened = await untilCase(payrun, onboarder, caseId, 'screening');
        expect(screened.documents.every(({ state }) => state === 'verified')).toBe(true);
      }
    }
    await expectAllFaultsApplied(payrun.sandbox);
    await expectSignedUpOnce(payrun.sandbox);
  });

  test('document-patch, the new file takes the place of the old one', async () => {
    const caseId = await submitApplicant(payrun, onboarder, anIndividual());
    for (const [round, kind] of ['error_before', 'error_after', 'reset_after', 'slow'].entries()) {
      const { userId } = await untilCase(payrun, onboarder, caseId, 'screening');
      await decideUser(payrun.sandbox, userId ?? '', 'documents_need_resubmission', `round ${round}`);
      await untilCase(payrun, onboarder, caseId, 'resubmission');
      await orderFaults(payrun.sandbox, { operation: 'document-patch', kind: kind as FaultKind });
      await supply(payrun, onboarder, caseId, { documents: { passport: `passport-${round}.pdf` } });
    }
    const { documents } = await untilCase(payrun, onboarder, caseId, 'screening');
    expect(documents.map(({ slot, state, revision }) => [slot, state, revision])).toEqual([
      ['passport', 'verified', 5],
      ['utility_bill', 'verified', 1],
    ]);
    await expectAllFaultsApplied(payrun.sandbox);
  });
});

describe('a sign-up', () => {
  test('whose answer is lost is found by the event of its user, and not repeated', () =>
    expectFoundByEvents({ payrun, onboarder }, 'reset_after', 'cut_after'));

  test('that is answered by a page instead stays unknown until two people say so, and is not repeated', async () => {
    const second = await aUser(payrun.testDatabase, 'Omar Onboarder', 'onboarder');
    await expectNeverCreatedByPeople({ payrun, onboarder }, second, 'error_html_before');
  });
});
