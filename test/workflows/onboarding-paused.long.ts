import { afterAll, beforeAll, expect, test } from 'vitest';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';
import {
  anIndividual,
  expectSignedUpOnce,
  onboardingLedger,
  submitApplicant,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({ sandbox: { screeningOutcome: 'operator', signupUserId: 'returned' } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterAll(() => payrun.stop());

const reasonOf = async (caseId: string) =>
  (await payrun.application.findCase(onboarder, caseId, { withValues: false }))?.stateReason;

test('while the provider shows no user, nobody else is signed up, and then all go on', async () => {
  await orderFaults(payrun.sandbox, { operation: 'user-get', kind: 'error_before', status: 404, times: 1_000 });
  const first = await submitApplicant(payrun, onboarder, anIndividual());
  await until(async () => (await reasonOf(first)) === 'user_not_readable');
  const second = await submitApplicant(payrun, onboarder, anIndividual());
  const { rows } = await until(async () => {
    const started = await payrun.database.query<{ state: string }>(
      'select state from cases where case_id = $1 and notified_changes > 0',
      [second],
    );
    return started.rows.length > 0 && started;
  });
  expect(rows).toEqual([{ state: 'draft' }]);
  expect((await onboardingLedger(payrun.sandbox)).requests['user-signup-v2']).toBe(1);
  await clearFaults(payrun.sandbox);
  for (const caseId of [first, second]) await untilCase(payrun, onboarder, caseId, 'screening');
  expect(await reasonOf(first)).toBeNull();
  expect((await onboardingLedger(payrun.sandbox)).requests['user-signup-v2']).toBe(2);
});

test('after many refusals with the same answer nobody else is signed up until a person says so, and nothing is lost', async () => {
  const signUps = async () => (await onboardingLedger(payrun.sandbox)).requests['user-signup-v2'] ?? 0;
  const before = await signUps();
  const fault = { operation: 'user-signup-v2', kind: 'error_before', status: 422, times: REPEATED_REFUSALS } as const;
  await orderFaults(payrun.sandbox, fault);
  const refused: string[] = [];
  for (let n = 0; n < REPEATED_REFUSALS; n += 1) {
    refused.push(await submitApplicant(payrun, onboarder, anIndividual()));
  }
  const [pause] = await until(async () => {
    const pauses = await payrun.application.listSignUpPauses(onboarder);
    return pauses.length > 0 && pauses;
  });
  expect(pause).toMatchObject({ account: 'default', httpStatus: 422, refusals: REPEATED_REFUSALS });
  for (const caseId of refused) await untilCase(payrun, onboarder, caseId, 'refused');
  const waiting = await submitApplicant(payrun, onboarder, anIndividual());
  await until(async () => {
    const { workflowExecutionInfo, pendingActivities } = await payrun.temporal.workflow
      .getHandle(`onboarding/${waiting}`)
      .describe()
      .then(({ raw }) => raw)
      .catch(() => ({ workflowExecutionInfo: null, pendingActivities: [] }));
    return (
      workflowExecutionInfo !== null &&
      (pendingActivities ?? []).some(
        ({ lastFailure }) => lastFailure?.applicationFailureInfo?.type === 'sign_ups_paused',
      )
    );
  });
  const shown = await payrun.application.findCase(onboarder, waiting, { withValues: false });
  expect([shown?.state, shown?.sentences.toDo]).toEqual(['draft', expect.stringContaining('payrun onboard resume')]);
  expect(await signUps()).toBe(before + REPEATED_REFUSALS);
  const resumed = await payrun.application.resumeSignUps(onboarder, { account: 'default', retry: true });
  expect(resumed).toEqual({ retried: REPEATED_REFUSALS, notRetried: 0 });
  for (const caseId of [...refused, waiting]) await untilCase(payrun, onboarder, caseId, 'screening');
  expect(await signUps()).toBe(before + 2 * REPEATED_REFUSALS + 1);
  await expectSignedUpOnce(payrun.sandbox);
});

test('that the provider does not accept the credentials is shown, and sign-ups go on when it does', async () => {
  const fault = { operation: 'user-signup-v2', kind: 'error_before', status: 403, times: 1_000 } as const;
  await orderFaults(payrun.sandbox, fault);
  const caseId = await submitApplicant(payrun, onboarder, anIndividual());
  const shown = () => payrun.application.findCase(onboarder, caseId, { withValues: false });
  await until(async () => (await shown())?.holds.some(({ kind }) => kind === 'not_authenticated'));
  expect(['draft', 'signing_up']).toContain((await shown())?.state);
  await clearFaults(payrun.sandbox);
  await untilCase(payrun, onboarder, caseId, 'screening');
  expect(await shown()).toMatchObject({ holds: [] });
});
