import type { ReactNode } from 'react';
import type { CaseState } from '../../api/onboarding/case.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

interface CaseWords {
  word: string;
  tone: Tone;
  meaning: string;
}

export const CASE_WORDS: Readonly<Record<CaseState, CaseWords>> = {
  draft: { word: 'Accepted', tone: 'moving', meaning: 'Nothing was sent to the provider yet.' },
  signing_up: {
    word: 'Signing up',
    tone: 'moving',
    meaning: 'The sign-up is being sent, or an existing user is being taken over.',
  },
  preparing: {
    word: 'Preparing',
    tone: 'moving',
    meaning: 'payrun sends details and documents, and checks what the provider shows of them.',
  },
  incomplete: {
    word: 'Incomplete',
    tone: 'waiting',
    meaning: 'Something is missing or wrong before the screening can be requested.',
  },
  needs_provider: {
    word: 'Ask the provider',
    tone: 'waiting',
    meaning: 'Only the provider can help: payrun cannot change what is in the way.',
  },
  ready: {
    word: 'Ready',
    tone: 'moving',
    meaning: 'Details and documents are complete. The screening is being requested.',
  },
  screening: {
    word: 'Screening',
    tone: 'moving',
    meaning: 'The provider is checking the applicant. This can take days.',
  },
  verification: {
    word: 'Verification',
    tone: 'moving',
    meaning: 'The provider wants to verify the applicant further, usually with themselves.',
  },
  inactive: {
    word: 'Inactive',
    tone: 'waiting',
    meaning: 'The provider shows the user as inactive: ask the provider why.',
  },
  resubmission: { word: 'Asked again', tone: 'waiting', meaning: 'The provider asks for documents or details again.' },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning: 'It is not known whether the provider has signed the applicant up. payrun does not try again by itself.',
  },
  approved: { word: 'Approved', tone: 'paid', meaning: 'The provider has approved the applicant.' },
  rejected: { word: 'Rejected', tone: 'failed', meaning: 'The provider has rejected the applicant.' },
  refused: {
    word: 'Refused',
    tone: 'failed',
    meaning: 'The provider refused the sign-up, or shows another person than the one to be taken over.',
  },
  withdrawn: {
    word: 'Withdrawn',
    tone: 'neutral',
    meaning: 'An onboarder ended the case. A user that the provider has already stays there.',
  },
  expired: { word: 'Expired', tone: 'neutral', meaning: 'The case waited for an onboarder for too long.' },
  never_created: {
    word: 'Never created',
    tone: 'neutral',
    meaning: 'Two people found that the sign-up never took effect.',
  },
  erased: {
    word: 'Erased',
    tone: 'neutral',
    meaning: 'The personal data was destroyed. The record of what happened stays.',
  },
};

export function CaseMark({ state }: { state: CaseState }): ReactNode {
  return <Mark tone={CASE_WORDS[state].tone}>{CASE_WORDS[state].word}</Mark>;
}
