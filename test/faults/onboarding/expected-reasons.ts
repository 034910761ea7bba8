import type { CaseReason } from '../../../domain/onboarding/case-reason-codes.ts';
import { refuses } from './onboarding-choices.ts';
import type { OnboardingScenario } from './onboarding-scenario.ts';
import type { RecordedCase } from './recorded-cases.ts';

/** The fault stack's workers expect a change to be visible after this time. */
export const VISIBILITY_DELAY_MS = 300;

/** Requests whose refusal sends a case back to the onboarder. */
const REFUSED: Partial<Record<CaseReason, readonly string[]>> = {
  details_refused: ['user-detail-patch'],
  company_refused: ['company-patch'],
  document_refused: ['document-create', 'document-patch'],
  screening_refused: ['user-screen'],
  sign_up_refused: ['user-signup-v2'],
};

/** Requests whose faults may keep a file or a screening from being shown. */
const FAILED: Partial<Record<CaseReason, RegExp>> = {
  document_unverified: /^document-/,
  screening_not_shown: /^user-(screen|get)$/,
};

/** States in which the reason is for people, or ended the case. */
const ASKING: readonly string[] = ['incomplete', 'needs_provider', 'refused'];

/**
 * Whether something in the scenario explains why the case waits for people or was refused: applicants give everything, and
 * the provider asks for nothing without a fault. A case that waits without a cause would be supplied, and hide a bug.
 */
export function isExplained(scenario: OnboardingScenario, { state, stateReason, missing }: RecordedCase): boolean {
  if (!ASKING.includes(state)) return true;
  const readsLate = (scenario.sandbox.userLagMs ?? 0) >= VISIBILITY_DELAY_MS;
  const { faults } = scenario;
  const refused = REFUSED[stateReason as CaseReason];
  if (refused !== undefined) return faults.some((fault) => refuses(fault) && refused.includes(fault.operation));
  const failed = FAILED[stateReason as CaseReason];
  if (failed !== undefined) return readsLate || faults.some(({ operation }) => failed.test(operation));
  // The other person has other names and the same mail address.
  if (stateReason === 'other_names') return scenario.applicants.some(({ way }) => way === 'other_person');
  return stateReason === 'details_missing' && missing.length > 0 && readsLate;
}
