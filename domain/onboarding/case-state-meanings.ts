import type { CaseState } from './case-state.ts';

/** What a state means for people who onboard customers. */
export interface CaseStateMeaning {
  meaning: string;
  /** What a person has to do; null: nothing. */
  action: string | null;
}

export const CASE_STATE_MEANINGS: Readonly<Record<CaseState, CaseStateMeaning>> = {
  draft: {
    meaning: 'The applicant was accepted. Nothing was sent to the provider yet.',
    action: null,
  },
  signing_up: {
    meaning: 'The sign-up is being sent, or an existing user is being taken over.',
    action: null,
  },
  preparing: {
    meaning:
      'The provider has the user. payrun sends details and documents, and checks what the provider shows of them.',
    action: null,
  },
  incomplete: {
    meaning: 'Something is missing or wrong before the screening can be requested.',
    action: 'give what is named with `payrun onboard supply`, or withdraw the case',
  },
  needs_provider: {
    meaning: 'Only the provider can help: payrun cannot change what is in the way.',
    action: 'write to the provider what `payrun onboard show` says; supply or withdraw the case if they ask for it',
  },
  ready: {
    meaning: 'Details and documents are complete. The screening is being requested.',
    action: 'if the reason is `phone_verification`: ask the applicant to verify their phone number',
  },
  screening: {
    meaning: 'The provider is checking the applicant. This can take days.',
    action: null,
  },
  verification: {
    meaning: 'The provider wants to verify the applicant further, usually with themselves.',
    action: 'ask the applicant whether the provider has written to them',
  },
  inactive: {
    meaning: 'The provider shows the user as inactive.',
    action: 'ask the provider why',
  },
  resubmission: {
    meaning: 'The provider asks for documents or details again.',
    action: 'read what the provider wrote, and give what it asks for with `payrun onboard supply`',
  },
  unknown: {
    meaning: 'It is not known whether the provider has signed the applicant up. payrun does not try again by itself.',
    action: 'ask the provider, then resolve the case by two people (`payrun onboard resolve`)',
  },
  approved: { meaning: 'The provider has approved the applicant.', action: null },
  rejected: {
    meaning: 'The provider has rejected the applicant.',
    action: 'read what the provider wrote; only the provider can open the case again',
  },
  refused: {
    meaning: 'The provider refused the sign-up, or shows another person than the one who was to be taken over.',
    action:
      'correct what the reason says, and submit the applicant under another reference; if the applicant was not the reason, ' +
      'try again with `payrun onboard retry`',
  },
  withdrawn: {
    meaning: 'An onboarder ended the case. A user that the provider has already stays there.',
    action: null,
  },
  expired: {
    meaning: 'The case waited for an onboarder for too long.',
    action:
      'if the applicant is still to be onboarded: take the user over with `provider_user_id`, under another reference',
  },
  never_created: {
    meaning: 'Two people found that the sign-up never took effect.',
    action: 'submit the applicant again under another reference',
  },
  erased: {
    meaning: 'The personal data was destroyed. The record of what happened stays.',
    action: null,
  },
};
