import type { storeHistory } from '../../activities/accounts/store-history.ts';

/** An entry as the provider shows it. */
export type Shown = Parameters<typeof storeHistory>[2][number];

/** When the first entry is dated, without a pause before it. */
const HISTORY_START_MS = Date.parse('2026-01-31T00:00:00Z');

/** Entries of one currency, one after another, some at the same time, some leading back to an earlier balance. */
export function aHistory(changes: readonly { change: number; pauseMs: number }[], currency: string): Shown[] {
  let balance = 1_000;
  let timeMs = HISTORY_START_MS;
  return changes.map(({ change, pauseMs }, index) => {
    timeMs += pauseMs;
    const before = balance;
    balance += change;
    return {
      id: `${currency}-${index}`,
      balanceId: null,
      amountBefore: String(before),
      amountAfter: String(balance),
      currency,
      totalAmount: String(Math.abs(change)),
      transactionId: null,
      transactionType: '',
      date: { raw: new Date(timeMs).toISOString(), epochMs: timeMs },
    };
  });
}
