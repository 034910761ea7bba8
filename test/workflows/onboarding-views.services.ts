import { stringify } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApplicantSubmission } from '../../application/onboarding/submit-applicants.ts';
import {
  anIndividual,
  type ApplicantValues,
  decideUser,
  filesNamedIn,
  submitApplicant,
  supply,
  textIn,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { orderFaults } from '../helpers/sandbox-control.ts';
import { aUser, byTwo, type TestUser } from '../helpers/users.ts';

/** What onboarders are shown of cases: what was sent, who ended them, and what holds them. */

const DAY_MS = 86_400_000;
const ALL = { account: null, state: null, ref: null, limit: 200, after: null };

let payrun: PayrunUnderTest;
let onboarder: TestUser;
let checker: TestUser;
let administrator: TestUser;

beforeAll(async () => {
  const onboarding = {
    poll: { firstMs: 500, maxMs: 2_000 },
    ...{ reminderMs: DAY_MS, providerReminderMs: DAY_MS, undecidedMs: 30 * DAY_MS },
    ...{ ageLimitMs: 30 * DAY_MS, unknownPauseMs: DAY_MS },
  };
  const sandbox = { screeningOutcome: 'operator', signupUserId: 'returned', screeningAnswer: 'new' } as const;
  payrun = await startPayrun({ sandbox, settings: { onboarding } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
  checker = await aUser(payrun.testDatabase, 'Charlie Checker', 'checker');
  administrator = await aUser(payrun.testDatabase, 'Ada Administrator', 'administrator');
});
afterAll(() => payrun.stop());

async function submitted(values: ApplicantValues, { dryRun } = { dryRun: false }) {
  const submission: ApplicantSubmission = {
    ...{ account: null, fileName: 'applicant.yaml', format: 'yaml', dryRun },
    content: Buffer.from(stringify(values)),
    files: filesNamedIn(values),
  };
  const outcome = await payrun.application.submitApplicants(onboarder, submission);
  if (outcome.kind === 'refused') throw new Error(JSON.stringify(outcome.problems));
  return outcome;
}

async function shown(caseId: string) {
  const found = await payrun.application.findCase(onboarder, caseId, { withValues: false });
  if (found === null) throw new Error('there is no such case');
  return found;
}

test('a known applicant is compared with the case; what was sent, and who ended and erased it, are shown', async () => {
  const values = anIndividual();
  // Nobody knows yet whether the answer to the request for a screening shows it.
  expect((await submitted(anIndividual(), { dryRun: true })).requestCount).toBe(10);
  const caseId = await submitApplicant(payrun, onboarder, values);
  const { userId } = await untilCase(payrun, onboarder, caseId, 'screening');
  expect(await submitted(values)).toMatchObject({ newCount: 0, cases: [{ state: 'screening', differs: false }] });
  expect((await submitted(anIndividual(), { dryRun: true })).requestCount).toBe(9);
  const other = { ...values, first_name: 'Bea' };
  expect(await submitted(other)).toMatchObject({ cases: [{ isNew: false, differs: true }] });
  const otherFile = { ...values, documents: { passport: 'passport-2.pdf', utility_bill: 'bill.pdf' } };
  expect(await submitted(otherFile)).toMatchObject({ cases: [{ differs: true }] });

  await decideUser(payrun.sandbox, userId ?? '', 'documents_need_resubmission', 'blurred');
  await untilCase(payrun, onboarder, caseId, 'resubmission');
  await supply(payrun, onboarder, caseId, { documents: { passport: 'passport-2.pdf' } });
  const again = await untilCase(payrun, onboarder, caseId, 'screening');
  expect(again.uploads.map(({ slot, revision }) => `${slot} ${revision}`).sort()).toEqual([
    'passport 1',
    'passport 2',
    'utility_bill 1',
  ]);
  expect(again.uploads.every(({ verifiedAt }) => verifiedAt !== null)).toBe(true);

  await decideUser(payrun.sandbox, userId ?? '', 'documents_need_resubmission', 'blurred again');
  await untilCase(payrun, onboarder, caseId, 'resubmission');
  await payrun.application.withdrawCase(onboarder, caseId, 'no longer a customer');
  const by = { userId: onboarder.userId, name: 'Olivia Onboarder' };
  expect(await shown(caseId)).toMatchObject({
    ...{ state: 'withdrawn', waitingSince: null, erased: null },
    withdrawn: { by, reason: 'no longer a customer' },
  });
  await byTwo(payrun.testDatabase, payrun.application.eraseCase(administrator, caseId));
  expect(await shown(caseId)).toMatchObject({
    withdrawn: { by, reason: null },
    erased: { by: { userId: administrator.userId, name: 'Ada Administrator' } },
  });
  expect(await submitted(values)).toMatchObject({ cases: [{ isNew: false, state: 'erased', differs: null }] });
});

test('what holds cases is shown with them: a sign-up without an answer, and a stop', async () => {
  await orderFaults(payrun.sandbox, { operation: 'user-signup-v2', kind: 'error_after' });
  const lost = await submitApplicant(payrun, onboarder, anIndividual());
  await untilCase(payrun, onboarder, lost, 'unknown');
  const values = anIndividual();
  const next = await submitted(values);
  const unanswered = { account: 'default', kind: 'unanswered', until: expect.any(String) as string };
  expect(next.holds).toMatchObject([unanswered]);
  const waiting = next.cases[0]?.caseId ?? '';
  expect(await shown(waiting)).toMatchObject({ state: 'draft', holds: [unanswered] });
  // It is held by nothing but its own answer.
  expect((await shown(lost)).holds).toEqual([]);

  await payrun.application.stopPayments(payrun.maker, { scope: 'account', account: 'default' }, null);
  const list = await payrun.application.listCases(onboarder, { ...ALL, ref: textIn(values, 'applicant_ref') });
  expect(list.cases).toMatchObject([{ caseId: waiting }]);
  expect(list.holds.map(({ kind }) => kind)).toEqual(['stopped', 'unanswered']);
  expect(list.counts).toContainEqual({ state: 'unknown', count: 1 });
  expect((await shown(waiting)).holds.map(({ kind }) => kind)).toEqual(['stopped', 'unanswered']);
  const elsewhere = payrun.application.listCases(onboarder, { ...ALL, account: 'nowhere' });
  await expect(elsewhere).rejects.toThrow('there is no provider account of that name; configured are: default');

  const proposal = { outcome: 'never_created', userId: null, reason: 'they have none' } as const;
  await payrun.application.proposeCaseManualOutcome(onboarder, lost, proposal);
  // As the database is while a worker carries it out.
  await payrun.database.query('update case_manual_outcomes set confirmed_by = $2 where case_id = $1', [
    lost,
    checker.userId,
  ]);
  expect((await shown(lost)).sentences.toDo).toContain('payrun is carrying it out');
  await expect(payrun.application.proposeCaseManualOutcome(onboarder, lost, proposal)).rejects.toThrow(
    'Charlie Checker has confirmed a proposal already',
  );
});
