import { PAYMENT_STATES, type PaymentPart } from '../../../domain/payments/payment-state.ts';
import { partsIn } from '../../../domain/runs/run-sentences.ts';
import type { RunSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { displayWidth, fit } from '../text-table.ts';
import { count, counted, duration, rowWord, words } from '../wording.ts';

export interface ProgressStyle {
  /** In terminal columns. */
  width: number;
  color: boolean;
}

/** From left to right. The signs differ so that the bar can be read without colours. */
const PARTS: Readonly<Record<PaymentPart, { sign: string; colorCode: number }>> = {
  paid: { sign: '█', colorCode: 32 },
  in_flight: { sign: '▒', colorCode: 36 },
  not_paid: { sign: '×', colorCode: 31 },
  unknown: { sign: '?', colorCode: 35 },
  on_hold: { sign: '-', colorCode: 33 },
  waiting: { sign: '·', colorCode: 90 },
};

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
    (state) => `${rowWord(run.state, state)} ${count(run.rows[state] ?? 0)}`,
  );
  if (run.ratePerSecond > 0) parts.push(`${run.ratePerSecond.toFixed(2)} a second`);
  if (run.stops.length > 0) parts.push('stopped');
  else if (run.secondsLeft !== null) {
    parts.push(`about ${duration(run.secondsLeft)} left${run.dueLater === null ? '' : ' for those due today'}`);
  }
  if (run.dueLater !== null) {
    parts.push(`${counted(run.dueLater.rows, 'row')} due later, the last on ${run.dueLater.lastDate}`);
  }
  if (run.stateReason !== null) parts.push(printable(run.stateReason));
  return parts.join(', ');
}

function bar(run: RunSummary, width: number, color: boolean): string {
  const total = Math.max(1, run.rowCount);
  let rows = 0;
  let filled = 0;
  const counts = partsIn(run.state, run.rows);
  const pieces = (Object.keys(PARTS) as PaymentPart[]).map((part) => {
    const { sign, colorCode } = PARTS[part];
    rows += counts[part];
    // Rounding ends instead of lengths keeps the total at the width of the bar.
    const end = Math.min(width, Math.round((rows / total) * width));
    const piece = sign.repeat(Math.max(0, end - filled));
    filled = Math.max(filled, end);
    return color && piece !== '' ? `\u001b[${colorCode}m${piece}\u001b[0m` : piece;
  });
  return pieces.join('') + ' '.repeat(width - filled);
}

/** A warning about rows with an unknown outcome, and what to do about them. Empty when there are none. */
export function unknownNotice({ runId, rows }: Pick<RunSummary, 'runId' | 'rows'>): string {
  const unknown = rows.unknown ?? 0;
  if (unknown === 0) return '';
  const run = printable(runId);
  return [
    `ATTENTION: ${counted(unknown, 'row')} UNKNOWN: the provider may have paid, or may still pay. Do not pay again by other means.`,
    `  rows:        payrun show ${run} --rows`,
    `  evidence:    payrun show ${run} --row REF`,
    `  ask the provider, then: payrun resolve ${run} --row REF --outcome paid|rejected|failed|never_created --reason TEXT`,
  ].join('\n');
}
