import type { StateTexts } from '../state-table.ts';

/** The states of an onboarding case, and all that is asked of each. */

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

export interface CaseStateRow extends StateTexts {
  stage: CaseStage;
  next: readonly CaseState[];
  signUp: {
    /** The provider is not known to have the applicant's user, since none was asked for or the answer has not come. */
    isAhead: boolean;
    /** The outcome of the sign-up may be unknown: a user that appears with the provider may be the applicant's. */
    mayBeUnanswered: boolean;
    /** Nobody with the same mail address is signed up beside it. */
    blocksAnother: boolean;
  };
  case: {
    /** An onboarder may give new values and files. */
    maySupply: boolean;
    /** The provider has the user, and may show another status: the poll reads it. */
    isObserved: boolean;
    /** The provider has approved or rejected the applicant: personal data is kept for longer. */
    isDecidedByProvider: boolean;
    /** Only people move a case into it. */
    isSetByPeople: boolean;
  };
}

/**
 * A case that waits for an onboarder, or is being prepared, moves to `screening` when the provider shows by itself that the
 * user is past it. `needs_provider` from `ready`: a screening was requested twice and is not shown; from
 * `screening`, `verification` and `inactive`: the provider has not decided for very long. `draft` from `refused`: a
 * person has the sign-up tried again. `withdrawn` from `signing_up`: no sign-up may have reached the provider yet.
 */
export const CASE_STATE_TABLE: Readonly<Record<CaseState, CaseStateRow>> = {
  draft: {
    word: 'Accepted',
    tone: 'moving',
    meaning: 'The applicant was accepted. Nothing was sent to the provider yet.',
    action: null,
    stage: 'working',
    next: ['signing_up', 'withdrawn'],
    signUp: { isAhead: true, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: true },
  },
  signing_up: {
    word: 'Signing up',
    tone: 'moving',
    meaning: 'The sign-up is being sent, or an existing user is being taken over.',
    action: null,
    stage: 'working',
    next: ['preparing', 'refused', 'unknown', 'withdrawn'],
    signUp: { isAhead: true, mayBeUnanswered: true, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  preparing: {
    word: 'Preparing',
    tone: 'moving',
    meaning:
      'The provider has the user. payrun sends details and documents, and checks what the provider shows of them.',
    action: null,
    stage: 'working',
    next: ['ready', 'incomplete', 'needs_provider'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  incomplete: {
    word: 'Incomplete',
    tone: 'waiting',
    meaning: 'Something is missing or wrong before the screening can be requested.',
    action: 'give what is named with `payrun onboard supply`, or withdraw the case',
    stage: 'onboarder',
    next: ['preparing', 'screening', 'withdrawn', 'expired'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: true, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  needs_provider: {
    word: 'Ask the provider',
    tone: 'waiting',
    meaning: 'Only the provider can help: payrun cannot change what is in the way.',
    action: 'write to the provider what `payrun onboard show` says; supply or withdraw the case if they ask for it',
    stage: 'onboarder',
    next: ['preparing', 'screening', 'withdrawn', 'expired'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: true, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  ready: {
    word: 'Ready',
    tone: 'moving',
    meaning: 'Details and documents are complete. The screening is being requested.',
    action: 'if the reason is `phone_verification`: ask the applicant to verify their phone number',
    stage: 'working',
    next: ['screening', 'incomplete', 'needs_provider'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  screening: {
    word: 'Screening',
    tone: 'moving',
    meaning: 'The provider is checking the applicant. This can take days.',
    action: null,
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'verification', 'inactive', 'needs_provider'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  verification: {
    word: 'Verification',
    tone: 'moving',
    meaning: 'The provider wants to verify the applicant further, usually with themselves.',
    action: 'ask the applicant whether the provider has written to them',
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'screening', 'inactive', 'needs_provider'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  inactive: {
    word: 'Inactive',
    tone: 'waiting',
    meaning: 'The provider shows the user as inactive.',
    action: 'ask the provider why',
    stage: 'provider',
    next: ['approved', 'rejected', 'resubmission', 'screening', 'verification', 'needs_provider'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  resubmission: {
    word: 'Asked again',
    tone: 'waiting',
    meaning: 'The provider asks for documents or details again.',
    action: 'read what the provider wrote, and give what it asks for with `payrun onboard supply`',
    stage: 'onboarder',
    next: ['preparing', 'screening', 'withdrawn', 'expired'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: true, isObserved: true, isDecidedByProvider: false, isSetByPeople: false },
  },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning: 'It is not known whether the provider has signed the applicant up. payrun does not try again by itself.',
    action: 'ask the provider, then resolve the case by two people (`payrun onboard resolve`)',
    stage: 'onboarder',
    next: ['preparing', 'never_created'],
    signUp: { isAhead: false, mayBeUnanswered: true, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  approved: {
    word: 'Approved',
    tone: 'paid',
    meaning: 'The provider has approved the applicant.',
    action: null,
    stage: 'ended',
    next: ['erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: true, isSetByPeople: false },
  },
  rejected: {
    word: 'Rejected',
    tone: 'failed',
    meaning: 'The provider has rejected the applicant.',
    action: 'read what the provider wrote; only the provider can open the case again',
    stage: 'ended',
    next: ['erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: true, isSetByPeople: false },
  },
  refused: {
    word: 'Refused',
    tone: 'failed',
    meaning: 'The provider refused the sign-up, or shows another person than the one who was to be taken over.',
    action:
      'correct what the reason says, and submit the applicant under another reference; if the applicant was not the reason, ' +
      'try again with `payrun onboard retry`',
    stage: 'ended',
    next: ['draft', 'erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: false },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  withdrawn: {
    word: 'Withdrawn',
    tone: 'neutral',
    meaning: 'An onboarder ended the case. A user that the provider has already stays there.',
    action: null,
    stage: 'ended',
    next: ['erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: false },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: true },
  },
  expired: {
    word: 'Expired',
    tone: 'neutral',
    meaning: 'The case waited for an onboarder for too long.',
    action:
      'if the applicant is still to be onboarded: take the user over with `provider_user_id`, under another reference',
    stage: 'ended',
    next: ['erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: true },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  never_created: {
    word: 'Never created',
    tone: 'neutral',
    meaning: 'Two people found that the sign-up never took effect.',
    action: 'submit the applicant again under another reference',
    stage: 'ended',
    next: ['erased'],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: false },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: false },
  },
  erased: {
    word: 'Erased',
    tone: 'neutral',
    meaning: 'The personal data was destroyed. The record of what happened stays.',
    action: null,
    stage: 'ended',
    next: [],
    signUp: { isAhead: false, mayBeUnanswered: false, blocksAnother: false },
    case: { maySupply: false, isObserved: false, isDecidedByProvider: false, isSetByPeople: true },
  },
};
