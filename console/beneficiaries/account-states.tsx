import type { ReactNode } from 'react';
import {
  BENEFICIARY_ACCOUNT_STATE_TABLE,
  type BeneficiaryAccountState,
} from '../../domain/beneficiaries/beneficiary-account-state.ts';
import { Mark } from '../elements/mark.tsx';

export function AccountStateMark({ state }: { state: BeneficiaryAccountState }): ReactNode {
  const { word, tone } = BENEFICIARY_ACCOUNT_STATE_TABLE[state];
  return <Mark tone={tone}>{word}</Mark>;
}
