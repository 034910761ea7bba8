import type { ReactNode } from 'react';
import type { PaymentState } from '../../api/runs/row.ts';
import type { RunState } from '../../api/runs/run.ts';
import { Mark, type Tone } from '../elements/mark.tsx';

/** States in words for people, with what each asks of them. */
export interface StateWords {
  word: string;
  tone: Tone;
  meaning: string;
}

export const RUN_WORDS: Readonly<Record<RunState, StateWords>> = {
  draft: { word: 'Draft', tone: 'neutral', meaning: 'The run is being prepared.' },
  validating: {
    word: 'Checking',
    tone: 'moving',
    meaning: 'The file was accepted. payrun looks for duplicates and prepares the proposal.',
  },
  proposed: {
    word: 'Proposed',
    tone: 'moving',
    meaning: 'The proposal is ready. A moment later it can be decided on.',
  },
  in_approval: {
    word: 'Waits for approval',
    tone: 'waiting',
    meaning: 'Nothing is paid before the approvals that the policy asks for.',
  },
  scheduled: { word: 'Scheduled', tone: 'waiting', meaning: 'The run is approved and waits for its day.' },
  awaiting_funds: { word: 'Waits for money', tone: 'waiting', meaning: 'The run is approved and waits for money.' },
  running: {
    word: 'Paying',
    tone: 'moving',
    meaning: 'The run is approved. Its rows are paid when they are due and the balance is sufficient.',
  },
  paused: {
    word: 'Stopped',
    tone: 'waiting',
    meaning: 'Nothing more is sent. What was sent before is still confirmed.',
  },
  completed: { word: 'Paid', tone: 'paid', meaning: 'Every row is paid.' },
  partially_completed: {
    word: 'Partly paid',
    tone: 'waiting',
    meaning: 'The run has ended. Some rows are paid and some are not.',
  },
  failed: { word: 'Not paid', tone: 'failed', meaning: 'The run has ended, and no row is known to be paid.' },
  cancelled: {
    word: 'Cancelled',
    tone: 'neutral',
    meaning: 'The run was withdrawn, or stopped and cancelled. What was sent before may be paid.',
  },
  rejected: { word: 'Rejected', tone: 'failed', meaning: 'A checker rejected the run. Nothing was paid.' },
  expired: { word: 'Expired', tone: 'neutral', meaning: 'Nobody decided in time. Nothing was paid.' },
};

export const ROW_WORDS: Readonly<Record<PaymentState, StateWords>> = {
  invalid: { word: 'Invalid', tone: 'failed', meaning: 'The row has errors and was left out of the run.' },
  duplicate_suspect: {
    word: 'Suspected duplicate',
    tone: 'waiting',
    meaning: 'The row may pay something a second time, and is not sent unless a checker releases it.',
  },
  excluded: { word: 'Excluded', tone: 'neutral', meaning: 'The row was taken out of the run.' },
  held: {
    word: 'Held',
    tone: 'waiting',
    meaning: 'A quote, a file, a document or missing money kept the payment from being created.',
  },
  ready: {
    word: 'Ready',
    tone: 'neutral',
    meaning: 'The row is valid. It is sent once its run is approved and its day has come.',
  },
  quoted: {
    word: 'Quoted',
    tone: 'moving',
    meaning: 'The provider has given a price. The payment is being created, or payrun is finding out whether it was.',
  },
  created: { word: 'Created', tone: 'moving', meaning: 'The provider has the payment, and no money was taken for it.' },
  awaiting_funds: {
    word: 'Waits for money',
    tone: 'waiting',
    meaning: 'The provider has the payment, and the balance is too small for it.',
  },
  funded: {
    word: 'Funded',
    tone: 'moving',
    meaning: 'Money was taken from the balance. The provider does not yet show the payment as processing.',
  },
  processing: { word: 'Processing', tone: 'moving', meaning: 'The provider is carrying the payment out.' },
  paid: {
    word: 'Paid',
    tone: 'paid',
    meaning: 'The provider has confirmed the payment as completed, or two people have resolved it so.',
  },
  rejected: { word: 'Rejected', tone: 'failed', meaning: 'The provider refused the payment.' },
  failed: { word: 'Failed', tone: 'failed', meaning: 'The provider could not carry the payment out.' },
  cancelled: { word: 'Cancelled', tone: 'neutral', meaning: 'The row was never sent.' },
  returned: { word: 'Returned', tone: 'failed', meaning: 'The payment came back after it was paid.' },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning:
      'It is not known whether the provider has paid or will pay. payrun sends nothing more of it. Do not pay it by other means.',
  },
};

export function RunStateMark({ state }: { state: RunState }): ReactNode {
  const { word, tone } = RUN_WORDS[state];
  return <Mark tone={tone}>{word}</Mark>;
}

export function RowStateMark({ state }: { state: PaymentState }): ReactNode {
  const { word, tone } = ROW_WORDS[state];
  return <Mark tone={tone}>{word}</Mark>;
}

/** What becomes of the rows, in the parts that the bar shows. */
const PARTS = [
  { label: 'Paid', tone: 'paid', states: ['paid'] },
  { label: 'In flight', tone: 'moving', states: ['quoted', 'created', 'funded', 'processing'] },
  { label: 'Waiting', tone: 'neutral', states: ['ready', 'awaiting_funds'] },
  { label: 'Needs somebody', tone: 'waiting', states: ['duplicate_suspect', 'held'] },
  { label: 'Unknown', tone: 'unknown', states: ['unknown'] },
  { label: 'Not paid', tone: 'failed', states: ['invalid', 'rejected', 'failed', 'returned', 'cancelled', 'excluded'] },
] as const satisfies readonly { label: string; tone: Tone; states: readonly PaymentState[] }[];

export function partsOf(
  rows: Readonly<Partial<Record<PaymentState, number>>>,
): { label: string; tone: Tone; count: number }[] {
  return PARTS.map(({ label, tone, states }) => ({
    label,
    tone,
    count: states.reduce((sum, state) => sum + (rows[state] ?? 0), 0),
  }));
}
