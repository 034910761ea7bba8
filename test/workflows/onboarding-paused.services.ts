import { afterAll, beforeAll, expect, test } from 'vitest';
import { anIndividual, onboardingLedger, submitApplicant, untilCase } from '../helpers/onboarding-under-test.ts';
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

test('while the provider shows no user, nobody else is signed up, and then all go on', {
  timeout: 240_000,
}, async () => {
  await orderFaults(payrun.sandbox, { operation: 'user-get', kind: 'error_before', status: 404, times: 1_000 });
  const first = await submitApplicant(payrun, onboarder, anIndividual());
  await until(async () => (await reasonOf(first)) === 'user_not_readable');
  const second = await submitApplicant(payrun, onboarder, anIndividual());
  const { rows } = await until(async () => {
    const started = await payrun.database.query<{ state: string }>(
      'select state from cases where case_id = $1 and told_changes > 0',
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
