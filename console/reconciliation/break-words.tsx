import type { ReactNode } from 'react';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { inWords } from '../elements/formats.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

const TONES: Readonly<Record<BreakSummary['state'], Tone>> = {
  open: 'failed',
  explained: 'waiting',
  closed: 'paid',
  no_longer_found: 'neutral',
};

export function BreakMark({ state, children }: { state: BreakSummary['state']; children?: ReactNode }): ReactNode {
  return (
    <Mark tone={TONES[state]}>
      {children}
      {inWords(state)}
    </Mark>
  );
}
