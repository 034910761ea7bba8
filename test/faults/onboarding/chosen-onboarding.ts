import type { ApplicantPlan, OnboardingDisruption, OnboardingScenario } from './onboarding-scenario.ts';
import type { FaultSpec } from '../../../sandbox/faults/faults.ts';

/** Written scenarios of onboarding, and every one that once failed. */

const USUAL: ApplicantPlan = {
  accountType: 'individual',
  documents: 2,
  firstName: 'usual',
  way: 'csv',
  withdrawn: null,
  newFiles: true,
};

/** One of each kind that is onboarded. */
const APPLICANTS: readonly ApplicantPlan[] = [
  USUAL,
  { ...USUAL, accountType: 'company', documents: 3, firstName: 'RESUBMIT' },
  { ...USUAL, firstName: 'RESUBMIT', newFiles: false },
  { ...USUAL, documents: 1, firstName: 'REJECTED', way: 'yaml' },
  { ...USUAL, accountType: 'company', documents: 1, way: 'taken_over' },
];

let lastSeed = 0;

function scenario(about: string, parts: Partial<OnboardingScenario> = {}): OnboardingScenario {
  lastSeed += 1;
  const { sandbox, ...others } = parts;
  return {
    seed: lastSeed,
    about,
    applicants: APPLICANTS,
    workers: 1,
    clocksMs: [0, 0],
    webhooks: true,
    faults: [],
    disruptions: [],
    ...others,
    sandbox: { signupUserId: 'returned', userEvents: 'every', screeningAnswer: 'new', ...sandbox },
  };
}

const request = (operation: string, nth: number, phase: 'sent' | 'processed'): OnboardingDisruption['trigger'] => ({
  on: 'request',
  operation,
  nth,
  phase,
});

const each = (operation: string, ...kinds: FaultSpec['kind'][]): FaultSpec[] =>
  kinds.map((kind, index) => ({ operation, kind, nth: index + 1 }));

/** Part of `npm test`. */
export const TESTED_ONBOARDING: readonly OnboardingScenario[] = [
  scenario('lost answers to sign-ups, with and without events that name the users', {
    sandbox: { userEvents: 'changes' },
    faults: each('user-signup-v2', 'reset_after', 'error_after', 'error_before'),
  }),
  scenario('a worker that is killed when a sign-up was processed, and again at a screening', {
    disruptions: [
      { trigger: request('user-signup-v2', 2, 'processed'), action: { kind: 'kill', services: ['worker'] } },
      { trigger: request('user-screen', 2, 'processed'), action: { kind: 'kill', services: ['worker'] } },
    ],
  }),
  scenario('a worker that dies when the end of a sign-up is recorded, and the user is not', {
    disruptions: [
      {
        trigger: request('user-signup-v2', 2, 'processed'),
        action: { kind: 'interrupt_writes', table: 'cases', kill: true },
      },
    ],
  }),
  scenario('faults of every request after the sign-up', {
    faults: [
      ...each('user-get', 'error_before', 'cut_after'),
      ...each('user-detail-patch', 'reset_after', 'rate_limited', 'error_before'),
      ...each('company-patch', 'error_after'),
      ...each('document-create', 'reset_after', 'garbled_after'),
      ...each('document-upload-file', 'error_before', 'reset_after'),
      ...each('document-get', 'token_dies', 'not_json_after'),
      ...each('document-download-file', 'garbled_after', 'cut_after'),
      ...each('user-detail-get', 'error_html_before'),
      ...each('user-screen', 'error_after', 'reset_before'),
    ],
  }),
];

/** As important, but longer: `npm run faults -- --onboarding --chosen` runs them as well. */
const LONGER_ONBOARDING: readonly OnboardingScenario[] = [
  scenario('users whom neither an answer nor an event names', {
    webhooks: false,
    sandbox: { signupUserId: 'omitted' },
    faults: each('user-signup-v2', 'error_before'),
  }),
  scenario('a worker that is frozen at a sign-up, and continues after another worker has taken over', {
    workers: 2,
    disruptions: [
      { trigger: request('user-signup-v2', 1, 'processed'), action: { kind: 'freeze_worker', forMs: 16_000 } },
    ],
  }),
  scenario('a document that was created, and whose id never reached the database', {
    disruptions: [
      {
        trigger: request('document-create', 3, 'processed'),
        action: { kind: 'interrupt_writes', table: 'case_documents', kill: false },
      },
    ],
  }),
  scenario('all services killed at once during the sign-ups', {
    disruptions: [
      {
        trigger: request('user-signup-v2', 2, 'processed'),
        action: { kind: 'kill', services: ['worker', 'server', 'temporal', 'postgres'] },
      },
    ],
  }),
];

export const CHOSEN_ONBOARDING = [...TESTED_ONBOARDING, ...LONGER_ONBOARDING];
