import type { ReactNode } from 'react';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

const STATES: Readonly<Record<BookDay['state'], { word: string; tone: Tone }>> = {
  matched: { word: 'To be signed', tone: 'waiting' },
  signed: { word: 'Signed', tone: 'moving' },
  closed: { word: 'Closed', tone: 'paid' },
};

export function DayMark({ state }: { state: BookDay['state'] }): ReactNode {
  return <Mark tone={STATES[state].tone}>{STATES[state].word}</Mark>;
}

export function openBreaksOf({ openBreaks }: BookDay): number {
  return Object.values(openBreaks).reduce((sum, count) => sum + count, 0);
}

export function hrefOfDay({ day, account }: Pick<BookDay, 'day' | 'account'>): string {
  return `/reconciliation/${day}?account=${encodeURIComponent(account)}`;
}
