/** How long a provider that asks for a pause is left alone at most; a longer wish is asked for again. */
export const LONGEST_PAUSE_MS = 5 * 60_000;

/** A 429 that does not say how long: the limit is counted over one second. Contract: account 8. */
export const DEFAULT_PAUSE_MS = 1_000;

/**
 * Milliseconds from `Retry-After` (seconds or an HTTP date), from 0 to five minutes; null when the header is absent or
 * unreadable.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const waitMs = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) * 1_000 : httpDateMs(text) - nowMs;
  if (Number.isNaN(waitMs)) return null;
  return Math.ceil(Math.min(Math.max(waitMs, 0), LONGEST_PAUSE_MS));
}

/** HTTP dates begin with a weekday; anything else that Date.parse happens to accept is no HTTP date. */
function httpDateMs(text: string): number {
  return /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
}
