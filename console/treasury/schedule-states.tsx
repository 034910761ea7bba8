import type { ReactNode } from 'react';
import type { ScheduleOccurrence, ScheduleSummary } from '../../api/treasury/schedule.ts';
import { Mark } from '../elements/mark.tsx';
import { ENDS, SCHEDULE_STATES } from './schedule-words.ts';

export function ScheduleStateMark({ state }: { state: ScheduleSummary['state'] }): ReactNode {
  const { tone, word } = SCHEDULE_STATES[state];
  return <Mark tone={tone}>{word}</Mark>;
}

export function EndMark({ ended }: { ended: ScheduleOccurrence['ended'] }): ReactNode {
  if (ended === null) return <Mark tone="moving">Under way</Mark>;
  return <Mark tone={ENDS[ended].tone}>{ENDS[ended].word}</Mark>;
}
