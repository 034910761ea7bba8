import type { Explanation } from '../explanation.ts';
import { CONVERSION_REASONS } from './conversion-reason-codes.ts';

/** Why an occurrence of a schedule placed no order, beside the reasons of orders. */
export const OCCURRENCE_REASONS = {
  no_price: {
    cause: 'Nothing of the pair was quoted in the last 30 days, so that what an order would cost is not known.',
    fix: 'Place one order of the pair by hand: its quote is a price for the schedule.',
  },
  balance_not_known: {
    cause: 'The history of a balance cannot be followed, so that it is not known what is free.',
    fix: 'See `payrun accounts balances`. Levels act only on what is known; fixed amounts do not need it.',
  },
  payments_stopped: {
    cause: 'A stop of the account, or of everything, was in force.',
    fix: 'The next occurrence after two people have lifted the stop goes on.',
  },
  schedule_not_active: {
    cause: 'The schedule was paused or deleted when its occurrence was about to place an order.',
    fix: 'Resume it if it is still wanted.',
  },
  not_started: {
    cause: 'Nothing began it: Temporal or the workers were not running at its time, nor in the ten minutes after it.',
    fix: 'A level acts again the next time. Make up for a fixed amount with `payrun treasury schedule backfill`.',
  },
  time_changed: {
    cause:
      'The times of the schedule were changed on this day, and what is done in this place of the day was done at the time before. ' +
      'Nothing was converted again.',
    fix: 'If it is still wanted, start one by hand: `payrun treasury schedule trigger`.',
  },
  no_quote: {
    cause: 'The provider gave no quote in time.',
    fix: 'See `payrun doctor`. A level acts again the next time.',
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
