import type { CaseState } from '../../../domain/onboarding/case-state.ts';
import type { SandboxOptions } from '../../../sandbox/config/options.ts';
import type { FaultSpec } from '../../../sandbox/faults/faults.ts';
import { type Action, describeAction, describeFault, describeTrigger, type Trigger } from '../scenario.ts';

/** One applicant of a scenario, and what people do with their case. */
export interface ApplicantPlan {
  accountType: 'individual' | 'company';
  /** How many, 1 to 3. */
  documents: number;
  /** A word that the sandbox knows decides how the screening ends. */
  firstName: 'usual' | 'RESUBMIT' | 'REJECTED' | 'SLOW';
  /**
   * `csv`: with the others in one file that is submitted twice. `taken_over`: a user whom the provider has already, by id.
   * `other_person`: the same with the id of somebody else.
   */
  way: 'csv' | 'yaml' | 'taken_over' | 'other_person';
  /** `at_once`: right after the submission, if it is still possible. `when_asked`: instead of an answer. Null: never. */
  withdrawn: 'at_once' | 'when_asked' | null;
  /** New files beside new values, when the case waits for the onboarder. */
  newFiles: boolean;
}

export type OnboardingTrigger =
  | Extract<Trigger, { on: 'submitted' | 'request' }>
  /** At least this many cases are in one of the states. */
  | { on: 'cases'; states: readonly CaseState[]; atLeast: number };

/** Tables that a worker writes in more than one statement of a step. */
export type WrittenTable = 'cases' | 'case_requests' | 'case_documents' | 'case_manual_outcomes';

/**
 * The worker's next write to the table never happens, while its writes to other tables did: its connection ends there, and
 * with `kill` the worker as well.
 */
export interface InterruptWrites {
  kind: 'interrupt_writes';
  table: WrittenTable;
  kill: boolean;
}

export type OnboardingAction =
  | Action
  | InterruptWrites
  /** Sends webhooks that say that the user who was just signed up, and one who does not exist, is approved. */
  | { kind: 'forge_user_webhooks' };

export interface OnboardingDisruption {
  trigger: OnboardingTrigger;
  action: OnboardingAction;
}

/** How the sandbox behaves, where it differs from the suite's defaults. */
export type OnboardingSandbox = Partial<
  Pick<
    SandboxOptions,
    | 'signupUserId'
    | 'userEvents'
    | 'screeningAnswer'
    | 'screeningSteps'
    | 'screeningIncomplete'
    | 'initialUserStatus'
    | 'userDetailStatus'
    | 'companyPostalCode'
    | 'documentUrlSpelling'
    | 'rejectionRemarks'
    | 'signupCompanyName'
    | 'userLagMs'
    | 'tokenTtlMs'
    | 'documentTtlMs'
    | 'completionMinMs'
    | 'completionMaxMs'
  >
>;

/** Some applicants with everything that goes wrong with them. */
export interface OnboardingScenario {
  /** Of the sandbox, whose ids depend on it: no two scenarios on one stack have the same. */
  seed: number;
  /** Its title. */
  about: string;
  applicants: readonly ApplicantPlan[];
  workers: 1 | 2;
  /** The error of each worker's wall clock in milliseconds. */
  clocksMs: readonly number[];
  webhooks: boolean;
  sandbox: OnboardingSandbox;
  faults: readonly FaultSpec[];
  disruptions: readonly OnboardingDisruption[];
}

function describePlan({ accountType, documents, firstName, way, withdrawn, newFiles }: ApplicantPlan): string {
  const parts = [`${accountType}+${documents}`, way];
  if (firstName !== 'usual') parts.push(firstName);
  if (newFiles) parts.push('new_files');
  if (withdrawn !== null) parts.push(`withdrawn_${withdrawn}`);
  return parts.join('/');
}

export function describeOnboardingDisruption({ trigger, action }: OnboardingDisruption): string {
  const when =
    trigger.on === 'cases' ? `with ${trigger.atLeast} cases ${trigger.states.join(' or ')}` : describeTrigger(trigger);
  return `${when}: ${describeAction(action)}`;
}

/** The scenario as a few lines of text. */
export function describeOnboardingScenario(scenario: OnboardingScenario): string {
  const { applicants, workers, clocksMs, webhooks, sandbox, faults, disruptions } = scenario;
  return [
    `${scenario.about} (seed ${scenario.seed})`,
    `  applicants: ${applicants.map(describePlan).join(' ')}`,
    `  workers: ${workers}, clocks off by ${clocksMs.join(', ')} ms; webhooks ${webhooks ? 'on' : 'off'}`,
    `  sandbox: ${JSON.stringify(sandbox)}`,
    ...faults.map((fault) => `  fault: ${describeFault(fault)}`),
    ...disruptions.map((disruption) => `  ${describeOnboardingDisruption(disruption)}`),
  ].join('\n');
}
