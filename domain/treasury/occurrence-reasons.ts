import type { Explanation } from '../explanation.ts';
import { CONVERSION_REASONS } from './conversion-reason-codes.ts';

/** Why an occurrence of a schedule placed no order, beside the reasons of orders. */
export const OCCURRENCE_REASONS = {
  no_price: {
    cause: 'Nothing of the pair was quoted in the last 30 days, so what an order would cost is not known.',
    fix: 'Place one order of the pair by hand: its quote is a price for the schedule.',
  },
  balance_not_known: {
    cause: 'The history of a balance cannot be followed, so how much is free is not known.',
    fix: 'See `payrun accounts balances`. Sweeps and top-ups need it; fixed amounts do not.',
  },
  payments_stopped: {
    cause: 'A stop of the account, or of everything, was in force.',
    fix: 'Nothing: once two people have lifted the stop, the next occurrence is carried out.',
  },
  schedule_not_active: {
    cause: 'The schedule was paused or deleted when its occurrence was about to place an order.',
    fix: 'Resume it if it is still wanted.',
  },
  not_started: {
    cause: 'Nothing began it: Temporal or the workers were not running at its time, nor in the ten minutes after it.',
    fix: 'A sweep or top-up makes up for it the next time by itself. Make up for a fixed amount with `payrun treasury schedule backfill`.',
  },
  time_changed: {
    cause:
      'The times of the schedule were changed on this day. The first, second, … time of a day is carried out once, and this one ' +
      'had been carried out at its former time. Nothing was converted again.',
    fix: 'If another conversion is wanted, start one by hand: `payrun treasury schedule trigger`.',
  },
  no_quote: {
    cause: 'The provider gave no quote in time.',
    fix: 'See `payrun doctor`. A sweep or top-up makes up for it the next time by itself.',
  },
  payrun_failed: {
    cause: 'A bug of payrun, or an outage of its database of more than ten minutes.',
    fix: 'Read the log of the worker, then resume the schedule.',
  },
} as const satisfies Readonly<Record<string, Explanation>>;

/** For people; a code of a later version is shown as it is. */
export function occurrenceReasonText(code: string): string {
  const known: Readonly<Record<string, Explanation>> = { ...CONVERSION_REASONS, ...OCCURRENCE_REASONS };
  return known[code]?.cause ?? code;
}
