import { expect } from 'vitest';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import {
  anIndividual,
  type ApplicantValues,
  expectSignedUpOnce,
  onboardingLedger,
  submitApplicant,
  untilCase,
} from './onboarding-under-test.ts';
import type { PayrunUnderTest } from './payrun-under-test.ts';
import { expectAllFaultsApplied, orderEach } from './sandbox-control.ts';
import type { TestUser } from './users.ts';

export interface Onboarding {
  payrun: PayrunUnderTest;
  onboarder: TestUser;
}

/** Sign-ups whose answers are lost in these ways are found by the events of their users, and not repeated. */
export async function expectFoundByEvents({ payrun, onboarder }: Onboarding, ...kinds: FaultKind[]): Promise<void> {
  await orderEach(payrun.sandbox, 'user-signup-v2', kinds);
  const caseIds = await Promise.all(kinds.map(() => submitApplicant(payrun, onboarder, anIndividual())));
  for (const caseId of caseIds) await untilCase(payrun, onboarder, caseId, 'screening');
  await expectAllFaultsApplied(payrun.sandbox);
  await expectSignedUpOnce(payrun.sandbox);
}

/**
 * Sign-ups that never reached the provider stay unknown until `second` confirms what the onboarder says of them, and are not
 * repeated. Returns the applicants.
 */
export async function expectNeverCreatedByPeople(
  { payrun, onboarder }: Onboarding,
  second: TestUser,
  ...kinds: FaultKind[]
): Promise<ApplicantValues[]> {
  const { application, sandbox } = payrun;
  await orderEach(sandbox, 'user-signup-v2', kinds);
  const values = kinds.map(() => anIndividual());
  const before = (await onboardingLedger(sandbox)).requests['user-signup-v2'] ?? 0;
  const caseIds = await Promise.all(values.map((each) => submitApplicant(payrun, onboarder, each)));
  for (const caseId of caseIds) {
    const unknown = await untilCase(payrun, onboarder, caseId, 'unknown');
    expect(unknown).toMatchObject({ stateReason: 'sign_up_unknown', userId: null });
    const proposal = { outcome: 'never_created', userId: null, reason: 'the provider says so' } as const;
    const { manualOutcomes } = await application.proposeCaseManualOutcome(onboarder, caseId, proposal);
    const manualOutcomeId = manualOutcomes[0]?.manualOutcomeId ?? '';
    const own = application.confirmCaseManualOutcome(onboarder, caseId, { manualOutcomeId });
    await expect(own).rejects.toMatchObject({ code: 'not_allowed' });
    await application.confirmCaseManualOutcome(second, caseId, { manualOutcomeId });
    await untilCase(payrun, onboarder, caseId, 'never_created');
  }
  const after = (await onboardingLedger(sandbox)).requests['user-signup-v2'] ?? 0;
  expect(after - before).toBe(kinds.length);
  return values;
}
