import type { ReactNode } from 'react';
import { VIRTUAL_ACCOUNT_STATE_TABLE, type VirtualAccountState } from '../../domain/accounts/virtual-account-state.ts';
import { Mark } from '../elements/mark.tsx';

export function VirtualStateMark({ state }: { state: VirtualAccountState }): ReactNode {
  return <Mark tone={VIRTUAL_ACCOUNT_STATE_TABLE[state].tone}>{VIRTUAL_ACCOUNT_STATE_TABLE[state].word}</Mark>;
}

export const OUTCOMES = {
  approved: 'Approved: it has a number',
  cancelled: 'Cancelled',
  rejected: 'Rejected',
  pending: 'The provider has it, and has not decided',
  never_created: 'Never created: the provider has no such request',
} as const;
