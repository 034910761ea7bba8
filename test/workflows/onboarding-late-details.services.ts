import { afterAll, beforeAll, expect, test } from 'vitest';
import { anIndividual, submitApplicant, untilCase } from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

/** Longer than payrun needs from the details to the check of them. */
const LAG_MS = 2_500;

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  const sandbox = { screeningOutcome: 'approved', signupUserId: 'returned', userLagMs: LAG_MS } as const;
  payrun = await startPayrun({ sandbox, settings: { visibilityDelayMs: LAG_MS + 500 } });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterAll(() => payrun.stop());

test('details that the provider does not show yet are not asked for again', async () => {
  const caseId = await submitApplicant(payrun, onboarder, anIndividual());
  await untilCase(payrun, onboarder, caseId, 'approved');
  const { rows } = await payrun.database.query<{ state: string }>(
    `select detail ->> 'state' as state from audit_entries where kind = 'case_moved' and detail ->> 'case' = $1`,
    [caseId],
  );
  const states = rows.map(({ state }) => state);
  expect(states).toContain('ready');
  expect(states).not.toContain('incomplete');
});
