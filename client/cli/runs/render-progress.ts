import type { PaymentState } from '../../../domain/payments/payment-state.ts';
import { PAYMENT_STATES } from '../../../domain/payments/payment-state.ts';
import type { RunSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { displayWidth, fit } from '../text-table.ts';
import { count, duration, words } from '../wording.ts';

export interface ProgressStyle {
  /** In terminal columns. */
  width: number;
  color: boolean;
}

interface Share {
  states: readonly PaymentState[];
  sign: string;
  colorCode: number;
}

/** From left to right. The signs differ so that the bar can be read without colours. */
const SHARES: readonly Share[] = [
  { states: ['paid'], sign: '█', colorCode: 32 },
  { states: ['quoted', 'created', 'awaiting_funds', 'funded', 'processing'], sign: '▒', colorCode: 36 },
  { states: ['rejected', 'failed', 'returned', 'cancelled', 'unknown'], sign: '×', colorCode: 31 },
  { states: ['invalid', 'duplicate_suspect', 'excluded', 'held'], sign: '-', colorCode: 33 },
  { states: ['ready'], sign: '·', colorCode: 90 },
];

const MAX_BAR_WIDTH = 60;

/** Two lines: state and bar; rows by state, rate and time left. */
export function renderProgress(run: RunSummary, { width, color }: ProgressStyle): string {
  const paid = ` ${count(run.rows.paid ?? 0)} of ${count(run.rowCount)} paid`;
  const head = `${words(run.state)} `;
  const barWidth = Math.max(10, Math.min(MAX_BAR_WIDTH, width - displayWidth(head) - displayWidth(paid) - 3));
  return `${head}[${bar(run, barWidth, color)}]${paid}\n${fit(progressLine(run), width)}`;
}

/** Rows by state, rate and time left, in one plain line. */
export function progressLine(run: RunSummary): string {
  const parts = PAYMENT_STATES.filter((state) => (run.rows[state] ?? 0) > 0).map(
    (state) => `${words(state)} ${count(run.rows[state] ?? 0)}`,
  );
  if (run.ratePerSecond > 0) parts.push(`${run.ratePerSecond.toFixed(2)} a second`);
  if (run.stops.length > 0) parts.push('stopped');
  else if (run.secondsLeft !== null) parts.push(`about ${duration(run.secondsLeft)} left`);
  if (run.stateReason !== null) parts.push(printable(run.stateReason));
  return parts.join(', ');
}

function bar(run: RunSummary, width: number, color: boolean): string {
  const total = Math.max(1, run.rowCount);
  let rows = 0;
  let filled = 0;
  const pieces = SHARES.map(({ states, sign, colorCode }) => {
    rows += states.reduce((sum, state) => sum + (run.rows[state] ?? 0), 0);
    // Rounding ends instead of lengths keeps the total at the width of the bar.
    const end = Math.min(width, Math.round((rows / total) * width));
    const piece = sign.repeat(Math.max(0, end - filled));
    filled = Math.max(filled, end);
    return color && piece !== '' ? `\u001b[${colorCode}m${piece}\u001b[0m` : piece;
  });
  return pieces.join('') + ' '.repeat(width - filled);
}
