/** How long things take and how long they are valid, in milliseconds. */
export interface TimingOptions {
  readonly quoteTtlMs: number;
  readonly uploadTtlMs: number;
  /** How long the upload and download URLs of identity documents are valid. */
  readonly documentTtlMs: number;
  readonly tokenTtlMs: number;
  /** How long after its creation a payment can be funded. */
  readonly fundingDeadlineMs: number;
  /**
   * A funded payment completes after at least this time, and at most `completionMaxMs`; a screening that the sandbox
   * decides is decided within the same limits.
   */
  readonly completionMinMs: number;
  readonly completionMaxMs: number;
  /** How long a payment to a beneficiary named SLOW takes, and the screening of a user named SLOW. */
  readonly slowCompletionMs: number;
  /** How long after a payment was rejected or failed its money is refunded; 0: at once. */
  readonly refundMs: number;
  /** How long find does not return a new payment or conversion. */
  readonly findLagMs: number;
  /** How long reading a user or a company does not show a change of its status or details. */
  readonly userLagMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const defaultTimingOptions: TimingOptions = {
  quoteTtlMs: 10 * minuteMs,
  uploadTtlMs: 5 * minuteMs,
  documentTtlMs: 5 * minuteMs,
  tokenTtlMs: 8 * hourMs,
  fundingDeadlineMs: 24 * hourMs,
  completionMinMs: 4000,
  completionMaxMs: 12_000,
  slowCompletionMs: minuteMs,
  refundMs: 0,
  findLagMs: 0,
  userLagMs: 0,
};
