/** The longest pause. A provider that needs a longer one requests it again. */
const MAX_PAUSE_MS = 5 * 60_000;

/** The pause after a 429 without a duration: the limit is counted over one second. Contract: account 8. */
export const DEFAULT_PAUSE_MS = 1_000;

/** A pause that is requested again within this time counts as continued. */
const CONTINUED_WITHIN_MS = 5_000;

/** Pauses for which the provider gives no duration: each is twice as long as the one before that it continues. */
export class BackOff {
  #lastMs = DEFAULT_PAUSE_MS;

  /** The length of a pause that is requested now. `sinceLastMs`: since the end of the last pause; negative during one. */
  next(sinceLastMs: number): number {
    // Answers to requests that were sent before the pause belong to the same pause.
    if (sinceLastMs < 0) return -sinceLastMs;
    const isContinued = sinceLastMs <= Math.max(this.#lastMs, CONTINUED_WITHIN_MS);
    this.#lastMs = isContinued ? Math.min(2 * this.#lastMs, MAX_PAUSE_MS) : DEFAULT_PAUSE_MS;
    return this.#lastMs;
  }
}

/**
 * Milliseconds from `Retry-After` (seconds or an HTTP date), from 0 to five minutes; null when the header is absent or
 * unreadable.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const waitMs = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : httpDateMs(text) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.ceil(Math.min(Math.max(waitMs, 0), MAX_PAUSE_MS));
}

/** HTTP dates begin with a weekday; Date.parse accepts other texts too. */
function httpDateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
}
