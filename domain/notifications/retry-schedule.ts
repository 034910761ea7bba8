const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** When a delivery that failed is tried again, and when it is given up. */
export interface RetrySchedule {
  /** After the first failure, the second one and so on; after the last of these, always the last. */
  delaysMs: readonly number[];
  /** A delivery that has failed for so long is given up, and an endpoint where nothing succeeded for so long is disabled. */
  giveUpAfterMs: number;
}

/** As Standard Webhooks suggests: https://www.standardwebhooks.com, "Deliverability and reliability". */
export const RETRY_SCHEDULE: RetrySchedule = {
  delaysMs: [
    ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS],
    ...[14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS],
  ],
  giveUpAfterMs: 5 * 24 * HOUR_MS,
};

/** Milliseconds until the next attempt, after so many that failed (at least one). */
export function retryDelayMs({ delaysMs }: RetrySchedule, failures: number): number {
  return delaysMs[Math.min(failures, delaysMs.length) - 1] ?? HOUR_MS;
}
