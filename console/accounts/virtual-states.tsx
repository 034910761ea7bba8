import type { ReactNode } from 'react';
import type { VirtualAccount } from '../../api/accounts/virtual-account.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

export const VIRTUAL_STATES: Readonly<Record<VirtualAccount['state'], { tone: Tone; word: string; meaning: string }>> =
  {
    asked: { tone: 'moving', word: 'Being asked for', meaning: 'The request is being sent to the provider.' },
    pending: {
      tone: 'waiting',
      word: 'Provider decides',
      meaning: 'The provider has the request and has not decided.',
    },
    approved: { tone: 'paid', word: 'Approved', meaning: 'The provider has approved it. Its number may be given out.' },
    cancelled: { tone: 'neutral', word: 'Cancelled', meaning: 'The request was cancelled, or was never created.' },
    rejected: { tone: 'failed', word: 'Rejected', meaning: 'The provider has refused it: ask it why.' },
    unknown: {
      tone: 'unknown',
      word: 'Unknown',
      meaning: 'The request was sent and not answered: look for its name at the provider, and say what became of it.',
    },
  };

export function VirtualStateMark({ state }: { state: VirtualAccount['state'] }): ReactNode {
  return <Mark tone={VIRTUAL_STATES[state].tone}>{VIRTUAL_STATES[state].word}</Mark>;
}

export const OUTCOMES = {
  approved: 'Approved: it has a number',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  pending: 'The provider has it, and has not decided',
  never_created: 'Never created: the provider has no such request',
} as const;
