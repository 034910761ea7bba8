import type { FaultSuite } from '../fault-suite.ts';
import { CHOSEN_ONBOARDING } from './chosen-onboarding.ts';
import { describeOnboardingScenario, type OnboardingScenario } from './onboarding-scenario.ts';
import { randomOnboarding } from './random-onboarding.ts';
import { runOnboarding } from './run-onboarding.ts';

export const ONBOARDING_SUITE: FaultSuite<OnboardingScenario> = {
  standard: 100,
  random: randomOnboarding,
  chosen: CHOSEN_ONBOARDING,
  describe: describeOnboardingScenario,
  play: runOnboarding,
  counts: { signedUpTwice: 'signedUpTwice', lost: 'lost', disagreements: 'disagreement', unknown: 'unknown' },
};
