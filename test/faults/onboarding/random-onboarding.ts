import { SeededRandom } from '../../../sandbox/core/seeded-random.ts';
import { randomApplicants, randomVariants } from './onboarding-choices.ts';
import { ONBOARDING_CLASSES } from './onboarding-classes.ts';
import type { OnboardingScenario } from './onboarding-scenario.ts';

/** More than a run has, so that each of its scenarios has its own seed. */
const SCENARIOS_OF_A_SEED = 1_000_000;

/** The n-th scenario of a seed, from 1, by each class in turn. The same seed and number give the same scenario. */
export function randomOnboarding(seed: number, number: number): OnboardingScenario {
  const random = new SeededRandom(`onboarding/${seed}/${number}`);
  const classes = Object.entries(ONBOARDING_CLASSES);
  const entry = classes[(number - 1) % classes.length];
  if (entry === undefined) throw new Error('there are no classes of scenarios');
  const [about, partsOf] = entry;
  const applicants = randomApplicants(random);
  const { sandbox, ...parts } = partsOf(random, applicants);
  return {
    seed: seed * SCENARIOS_OF_A_SEED + number,
    about,
    applicants,
    workers: random.fraction() < 0.2 ? 2 : 1,
    clocksMs: [0, 0],
    webhooks: random.fraction() < 0.8,
    faults: [],
    disruptions: [],
    ...parts,
    sandbox: { ...randomVariants(new SeededRandom(`onboarding/${seed}/${number}/variants`)), ...sandbox },
  };
}
