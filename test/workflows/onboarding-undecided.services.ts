import { afterAll, beforeAll, expect, test } from 'vitest';
import { anIndividual, decideUser, submitApplicant, untilCase } from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

const DAY_MS = 86_400_000;

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  const onboarding = {
    poll: { firstMs: 300, maxMs: 300 },
    ...{ reminderMs: DAY_MS, providerReminderMs: DAY_MS, undecidedMs: 1_000 },
    ...{ ageLimitMs: 30 * DAY_MS, unknownPauseMs: 200 },
  };
  const sandbox = { screeningOutcome: 'operator', signupUserId: 'returned' } as const;
  payrun = await startPayrun({ sandbox, settings: { onboarding } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterAll(() => payrun.stop());

test('a case without a decision for long is shown to the onboarder, and goes on once the provider decides', async () => {
  const caseId = await submitApplicant(payrun, onboarder, anIndividual());
  const asked = await untilCase(payrun, onboarder, caseId, 'needs_provider');
  expect(asked).toMatchObject({
    stateReason: 'undecided',
    sentences: { toDo: expect.stringContaining('Ask the provider') as string },
  });
  const readsOf = async () =>
    (await payrun.database.query<{ reads: number }>('select reads from cases where case_id = $1', [caseId])).rows[0]
      ?.reads ?? 0;
  // Reads that show the same status leave it there.
  await until(async () => (await readsOf()) >= 3);
  expect(await payrun.application.findCase(onboarder, caseId, { withValues: false })).toMatchObject({
    state: 'needs_provider',
    changedAt: asked.changedAt,
  });
  await decideUser(payrun.sandbox, asked.userId ?? '', 'approved');
  await untilCase(payrun, onboarder, caseId, 'approved');
});
