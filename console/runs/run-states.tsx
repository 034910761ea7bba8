import type { ReactNode } from 'react';
import { PAYMENT_STATE_TABLE, type PaymentPart, type PaymentState } from '../../domain/payments/payment-state.ts';
import { partsIn, rowTextsIn } from '../../domain/runs/run-sentences.ts';
import { RUN_STATE_TABLE, type RunState } from '../../domain/runs/run-state.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

export function RunStateMark({ state }: { state: RunState }): ReactNode {
  const { word, tone } = RUN_STATE_TABLE[state];
  return <Mark tone={tone}>{word}</Mark>;
}

/** `run`: the state of its run; a row that its ended run never sent is not paid. Null: it is not known. */
export function RowStateMark({ state, run }: { state: PaymentState; run: RunState | null }): ReactNode {
  const { word, tone } = run === null ? PAYMENT_STATE_TABLE[state] : rowTextsIn(run, state);
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

export function partsOf({
  state,
  rows,
}: {
  state: RunState;
  rows: Readonly<Partial<Record<PaymentState, number>>>;
}): { label: string; tone: Tone; count: number }[] {
  const counts = partsIn(state, rows);
  return (Object.keys(PARTS) as PaymentPart[]).map((part) => ({ ...PARTS[part], count: counts[part] }));
}
