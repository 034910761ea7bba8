import type { ReactNode } from 'react';
import { CASE_STATE_TABLE, type CaseState } from '../../domain/onboarding/case-state.ts';
import { Mark } from '../elements/mark.tsx';

export function CaseMark({ state }: { state: CaseState }): ReactNode {
  return <Mark tone={CASE_STATE_TABLE[state].tone}>{CASE_STATE_TABLE[state].word}</Mark>;
}
