import {
  IconAlertTriangle,
  IconArrowRight,
  IconCheck,
  IconClock,
  IconMinus,
  IconQuestionMark,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** What a state asks of people, in the colours that colour-blind people can tell apart. */
export type Tone = 'neutral' | 'waiting' | 'moving' | 'paid' | 'failed' | 'unknown';

const ICONS = {
  neutral: IconMinus,
  waiting: IconClock,
  moving: IconArrowRight,
  paid: IconCheck,
  failed: IconAlertTriangle,
  unknown: IconQuestionMark,
} as const;

/** A state: icon, word and colour. The word is in ink, so that it can be read on any ground. */
export function Mark({ tone, children }: { tone: Tone; children: ReactNode }): ReactNode {
  const Icon = ICONS[tone];
  return (
    <span className="mark">
      <span className="mark-dot" data-tone={tone} aria-hidden="true">
        <Icon size={12} stroke={3} />
      </span>
      <span>{children}</span>
    </span>
  );
}
