import type { ReactNode } from 'react';
import {
  countParts,
  PAYMENT_STATE_TABLE,
  type PaymentPart,
  type PaymentState,
} from '../../domain/payments/payment-state.ts';
import { RUN_STATE_TABLE, type RunState } from '../../domain/runs/run-state.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

export function RunStateMark({ state }: { state: RunState }): ReactNode {
  const { word, tone } = RUN_STATE_TABLE[state];
  return <Mark tone={tone}>{word}</Mark>;
}

export function RowStateMark({ state }: { state: PaymentState }): ReactNode {
  const { word, tone } = PAYMENT_STATE_TABLE[state];
  return <Mark tone={tone}>{word}</Mark>;
}

/** What becomes of the rows, in the parts that the bar shows. */
const PARTS: Readonly<Record<PaymentPart, { label: string; tone: Tone }>> = {
  paid: { label: 'Paid', tone: 'paid' },
  in_flight: { label: 'In flight', tone: 'moving' },
  waiting: { label: 'Waiting', tone: 'neutral' },
  on_hold: { label: 'Needs somebody', tone: 'waiting' },
  unknown: { label: 'Unknown', tone: 'unknown' },
  not_paid: { label: 'Not paid', tone: 'failed' },
};

export function partsOf(
  rows: Readonly<Partial<Record<PaymentState, number>>>,
): { label: string; tone: Tone; count: number }[] {
  const counts = countParts(rows);
  return (Object.keys(PARTS) as PaymentPart[]).map((part) => ({ ...PARTS[part], count: counts[part] }));
}
