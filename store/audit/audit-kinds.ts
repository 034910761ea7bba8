import { PAYMENT_OPERATIONS, REQUEST_OUTCOMES } from '../../domain/payments/request-result.ts';
import { runStatesWhere } from '../../domain/runs/run-state.ts';

/**
 * The kinds of entries that the processes write themselves. Functions of the database that verify a token hash write all
 * others. The trigger `entries_are_of_their_writer` has the same list, and refuses other kinds.
 */

const REQUEST_KINDS = PAYMENT_OPERATIONS.flatMap((operation) =>
  ['requested', ...REQUEST_OUTCOMES, 'outcome_unknown', 'resolved'].map((kind) => `${operation}_${kind}`),
);

const RUN_KINDS = runStatesWhere(({ run }) => run.isSetByWorker).map((state) => `run_${state}`);

/** For transitions of a payment that do not follow from an answer to a request. */
export const TRANSITION_KINDS = [
  'beneficiary_refused',
  'file_refused',
  'given_up',
  'held',
  'payment_differs',
  'payment_verified',
  'provider_state_recorded',
  'resolved',
] as const;
export type TransitionKind = (typeof TRANSITION_KINDS)[number];

export const MANUAL_OUTCOME_AUDIT_KINDS = [
  'manual_outcome_confirmed',
  'manual_outcome_contradicted',
  'manual_outcome_refused',
] as const;
export type ManualOutcomeAuditKind = (typeof MANUAL_OUTCOME_AUDIT_KINDS)[number];

/** Of onboarding. The detail names the case or the account, and holds no personal data. */
const CASE_KINDS = [
  'case_answered',
  'case_document_verified',
  'case_moved',
  'case_remark_recorded',
  'case_reminded',
  'case_requested',
  'case_manual_outcome_confirmed',
  'case_manual_outcome_contradicted',
  'sign_ups_pause_reminded',
  'sign_ups_paused',
] as const;

/** Of orders to convert. The detail names the order. */
const CONVERSION_KINDS = ['conversion_answered', 'conversion_read', 'conversion_moved'] as const;

const OTHER_WORKER_KINDS = [
  'beneficiary_created',
  'beneficiary_discarded',
  'beneficiary_gone',
  'beneficiary_unused',
  'duplicate_suspected',
  'file_uploaded',
  'not_confirmed_in_time',
  'provider_recorded',
  'request_refused',
  'manual_outcome_voided',
  'run_refused',
  'payment_ended',
];

export const WORKER_KINDS: readonly string[] = [
  ...REQUEST_KINDS,
  ...RUN_KINDS,
  ...TRANSITION_KINDS,
  ...MANUAL_OUTCOME_AUDIT_KINDS,
  ...CASE_KINDS,
  ...CONVERSION_KINDS,
  ...OTHER_WORKER_KINDS,
];

export const SERVER_KINDS = ['access_refused', 'sign_in_refused'] as const;
export type ServerKind = (typeof SERVER_KINDS)[number];
