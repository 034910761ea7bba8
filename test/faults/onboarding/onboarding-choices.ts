import { canAffect, REQUEST_KINDS } from '../fault-choices.ts';
import { delayOf, happens, oneOf } from '../random-choices.ts';
import type { SeededRandom } from '../../../sandbox/core/seeded-random.ts';
import type { FaultKind } from '../../../sandbox/faults/fault-kinds.ts';
import type { FaultSpec } from '../../../sandbox/faults/faults.ts';
import type {
  ApplicantPlan,
  OnboardingAction,
  OnboardingDisruption,
  OnboardingSandbox,
  OnboardingScenario,
  OnboardingTrigger,
} from './onboarding-scenario.ts';

/** Random parts of scenarios of onboarding. */

/** The parts that a class of scenarios sets; the others have their defaults. */
export type OnboardingParts = Partial<Omit<OnboardingScenario, 'seed' | 'about'>>;

/** Builds the parts of one scenario with these applicants. */
export type OnboardingClass = (random: SeededRandom, applicants: readonly ApplicantPlan[]) => OnboardingParts;

/** The requests that an applicant may need, in their order. */
export const ONBOARDING_STEPS = [
  'auth-authenticate',
  'user-signup-v2',
  'user-get',
  'user-detail-patch',
  'company-patch',
  'company-get',
  'document-create',
  'document-list',
  'document-patch',
  'document-upload-file',
  'document-get',
  'document-download-file',
  'user-detail-get',
  'user-screen',
] as const;

/** The requests that every usual applicant needs, so that a trigger on one of them is reached. */
export const USUAL_ONBOARDING_STEPS = [
  'user-signup-v2',
  'user-detail-patch',
  'document-create',
  'document-upload-file',
  'document-get',
  'document-download-file',
  'user-detail-get',
  'user-screen',
] as const;

/** Statuses after which the outcome is unknown, and statuses that mean that the request had no effect. */
const OUTCOME_UNKNOWN_STATUSES = [408, 500, 502, 503, 504] as const;
const REFUSAL_STATUSES = [400, 404, 410, 422] as const;

/** A refused read or sign-in only waits a minute: nothing is learnt from it. */
const isWrite = (operation: string): boolean => !/-get$|-list$|-download-file$|^auth-/.test(operation);

/** Refusals only before the operation: after it, a refusal would be false. */
export function statusOf(random: SeededRandom, kind: FaultKind, operation: string): { status?: number } {
  if (!kind.startsWith('error_')) return {};
  const refuses = kind === 'error_before' && isWrite(operation) && happens(random, 0.25);
  return { status: oneOf(random, refuses ? REFUSAL_STATUSES : OUTCOME_UNKNOWN_STATUSES) };
}

/** Whether the operation may be refused by this fault, so that a case may wait for the onboarder because of it. */
export const refuses = ({ kind, status }: FaultSpec): boolean =>
  kind === 'error_before' && REFUSAL_STATUSES.some((refusal) => refusal === status);

/** A fault of any kind on one of these operations. */
export function randomFaultOn(random: SeededRandom, operations: readonly string[]): FaultSpec {
  for (;;) {
    const operation = oneOf(random, operations);
    const kind = oneOf(random, REQUEST_KINDS);
    if (!canAffect(kind, operation)) continue;
    return {
      operation,
      kind,
      nth: random.between(1, 6),
      times: random.between(1, 3),
      ...delayOf(random, kind),
      ...statusOf(random, kind, operation),
    };
  }
}

export const randomFaultsOn = (random: SeededRandom, max: number, operations: readonly string[]): FaultSpec[] =>
  Array.from({ length: random.between(1, max) }, () => randomFaultOn(random, operations));

const LOST = ['reset_after', 'error_after', 'error_html_after', 'cut_after', 'garbled_after', 'slow_after'] as const;

/** Answers that are lost after the request took effect. */
export const lostAnswersOf = (random: SeededRandom, operation: string): FaultSpec[] =>
  Array.from({ length: random.between(1, 3) }, () => {
    const kind = oneOf(
      random,
      LOST.filter((each) => canAffect(each, operation)),
    );
    return {
      operation,
      kind,
      nth: random.between(1, 4),
      times: random.between(1, 2),
      ...(kind.startsWith('slow') ? { delayMs: 2_500 } : {}),
    };
  });

export function randomApplicants(random: SeededRandom): ApplicantPlan[] {
  return Array.from({ length: random.between(3, 10) }, () => ({
    accountType: happens(random, 0.4) ? 'company' : 'individual',
    documents: random.between(1, 3),
    firstName: oneOf(random, ['usual', 'usual', 'usual', 'RESUBMIT', 'RESUBMIT', 'REJECTED', 'SLOW'] as const),
    way: oneOf(random, ['csv', 'csv', 'csv', 'yaml', 'yaml', 'taken_over', 'other_person'] as const),
    withdrawn: oneOf(random, [null, null, null, null, 'when_asked', 'at_once'] as const),
    newFiles: happens(random, 0.7),
  }));
}

/** How the sandbox behaves where the contract does not say. */
export function randomVariants(random: SeededRandom): OnboardingSandbox {
  return {
    signupUserId: oneOf(random, ['returned', 'returned', 'returned', 'omitted'] as const),
    userEvents: oneOf(random, ['every', 'changes', 'decisions'] as const),
    screeningAnswer: oneOf(random, ['new', 'old'] as const),
    screeningSteps: oneOf(random, ['direct', 'verification'] as const),
    screeningIncomplete: oneOf(random, ['refuse', 'unchanged'] as const),
    initialUserStatus: oneOf(random, ['pending_phone', 'pending_docs', 'pending'] as const),
    userDetailStatus: oneOf(random, ['object', 'string'] as const),
    companyPostalCode: oneOf(random, ['string', 'number'] as const),
    documentUrlSpelling: oneOf(random, ['Url', 'URL'] as const),
    rejectionRemarks: oneOf(random, ['present', 'absent'] as const),
    signupCompanyName: oneOf(random, ['on', 'on', 'off'] as const),
    userLagMs: oneOf(random, [0, 0, 0, 100, 250]),
  };
}

/** Applicants of whom none ends before the screening is requested, unless a fault does it. */
export const usualApplicants = (random: SeededRandom): ApplicantPlan[] =>
  randomApplicants(random).map((plan) => ({
    ...plan,
    way: plan.way === 'other_person' ? 'yaml' : plan.way,
    withdrawn: plan.withdrawn === 'at_once' ? null : plan.withdrawn,
  }));

/** A request that every usual applicant needs was sent or processed. */
export function stepTrigger(random: SeededRandom, applicants: readonly ApplicantPlan[]): OnboardingTrigger {
  const operation = oneOf(random, USUAL_ONBOARDING_STEPS);
  const needing = applicants.filter(({ way, withdrawn }) => {
    return (
      withdrawn !== 'at_once' && way !== 'other_person' && (operation !== 'user-signup-v2' || way !== 'taken_over')
    );
  });
  return {
    on: 'request',
    operation,
    nth: random.between(1, Math.max(1, needing.length)),
    phase: oneOf(random, ['sent', 'processed'] as const),
  };
}

export function randomOnboardingTrigger(random: SeededRandom, applicants: readonly ApplicantPlan[]): OnboardingTrigger {
  const kind = random.between(0, 4);
  if (kind === 0) return { on: 'submitted' };
  if (kind > 1) return stepTrigger(random, applicants);
  const states = oneOf(random, [
    ['preparing'],
    ['screening'],
    ['approved', 'rejected'],
    ['unknown', 'preparing'],
  ] as const);
  return { on: 'cases', states, atLeast: 1 };
}

export const atRandomStep = (
  random: SeededRandom,
  applicants: readonly ApplicantPlan[],
  action: OnboardingAction,
): OnboardingDisruption => ({ trigger: stepTrigger(random, applicants), action });

export const atRandomMoment = (
  random: SeededRandom,
  applicants: readonly ApplicantPlan[],
  action: OnboardingAction,
): OnboardingDisruption => ({ trigger: randomOnboardingTrigger(random, applicants), action });

/** Requests whose answer is recorded in more than one write, and the tables that are written. */
const WRITES = [
  ['user-signup-v2', ['cases', 'cases', 'case_requests']],
  ['user-get', ['cases']],
  ['user-detail-patch', ['cases', 'case_requests']],
  ['document-create', ['case_documents', 'case_documents', 'case_requests']],
  ['document-list', ['case_documents']],
  ['document-upload-file', ['case_documents']],
  ['document-download-file', ['case_documents']],
  ['user-screen', ['cases', 'case_requests']],
] as const;

/** The worker's connection ends between two writes about the answer to a request. */
export function interruptedWrite(random: SeededRandom, max: number): OnboardingDisruption {
  const [operation, tables] = oneOf(random, WRITES);
  return {
    trigger: { on: 'request', operation, nth: random.between(1, max), phase: 'processed' },
    action: { kind: 'interrupt_writes', table: oneOf(random, tables), kill: happens(random, 0.5) },
  };
}
