/** The states of an onboarding case, and the transitions that the database allows as well. */

export const CASE_STATES = [
  'draft',
  'signing_up',
  'preparing',
  'incomplete',
  'needs_provider',
  'ready',
  'screening',
  'verification',
  'inactive',
  'resubmission',
  'unknown',
  'approved',
  'rejected',
  'refused',
  'withdrawn',
  'expired',
  'never_created',
  'erased',
] as const;

export type CaseState = (typeof CASE_STATES)[number];

/**
 * payrun is `working`; the case waits for the `provider`, or for an `onboarder`; or it has `ended`. Personal data of an
 * ended case can be erased.
 */
export type CaseStage = 'working' | 'provider' | 'onboarder' | 'ended';

/**
 * A case that waits for an onboarder, or is being prepared, moves to `screening` when the provider shows by itself that the
 * user is past it. `needs_provider` from `ready`: a screening was requested twice and is not shown; from
 * `screening`, `verification` and `inactive`: the provider has not decided for very long. `draft` from `refused`: a
 * person has the sign-up tried again.
 */
export const CASE_STATE_TABLE: Readonly<Record<CaseState, { stage: CaseStage; next: readonly CaseState[] }>> = {
  draft: { stage: 'working', next: ['signing_up', 'withdrawn'] },
  signing_up: { stage: 'working', next: ['preparing', 'refused', 'unknown'] },
  preparing: { stage: 'working', next: ['ready', 'incomplete', 'needs_provider'] },
  incomplete: { stage: 'onboarder', next: ['preparing', 'screening', 'withdrawn', 'expired'] },
  needs_provider: { stage: 'onboarder', next: ['preparing', 'screening', 'withdrawn', 'expired'] },
  ready: { stage: 'working', next: ['screening', 'incomplete', 'needs_provider'] },
  screening: {
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'verification', 'inactive', 'needs_provider'],
  },
  verification: {
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'screening', 'inactive', 'needs_provider'],
  },
  inactive: {
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'screening', 'verification', 'needs_provider'],
  },
  resubmission: { stage: 'onboarder', next: ['preparing', 'screening', 'withdrawn', 'expired'] },
  unknown: { stage: 'onboarder', next: ['preparing', 'never_created'] },
  approved: { stage: 'ended', next: ['erased'] },
  rejected: { stage: 'ended', next: ['erased'] },
  refused: { stage: 'ended', next: ['draft', 'erased'] },
  withdrawn: { stage: 'ended', next: ['erased'] },
  expired: { stage: 'ended', next: ['erased'] },
  never_created: { stage: 'ended', next: ['erased'] },
  erased: { stage: 'ended', next: [] },
};

export function stageOfCase(state: CaseState): CaseStage {
  return CASE_STATE_TABLE[state].stage;
}

/** Neither payrun nor the provider has anything more to do by itself. */
export function isDoneForNow(state: CaseState): boolean {
  return ['ended', 'onboarder'].includes(stageOfCase(state));
}

export function mayTransitionCase(from: CaseState, to: CaseState): boolean {
  return CASE_STATE_TABLE[from].next.includes(to);
}

/** The case has not ended. */
export const OPEN_CASE_STATES = CASE_STATES.filter((state) => stageOfCase(state) !== 'ended');

/** The provider is not known to have the applicant's user. */
export const NOT_SIGNED_UP_CASE_STATES: readonly CaseState[] = ['draft', 'signing_up'];

/** An onboarder may give new values and files. */
export const SUPPLIABLE_CASE_STATES: readonly CaseState[] = ['incomplete', 'resubmission', 'needs_provider'];

/** Only the provider can bring the case further. */
export const PROVIDER_CASE_STATES = CASE_STATES.filter((state) => stageOfCase(state) === 'provider');

/** The provider has the user, and may show another status: the poller reads these. */
export const OBSERVED_CASE_STATES: readonly CaseState[] = [
  'ready',
  'screening',
  'verification',
  'inactive',
  ...SUPPLIABLE_CASE_STATES,
];
