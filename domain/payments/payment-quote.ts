/** A quote this close to its expiry may have expired when the request arrives. For a short quote: half its lifetime. */
const QUOTE_MARGIN_MS = 15_000;

/** Whether a payment's quote has expired, or will have when the request arrives. A conversion's: `isQuoteFresh`. */
export function quoteIsExpired(
  { quotedAt, quoteExpiresAt }: { quotedAt: Date | null; quoteExpiresAt: Date | null },
  nowMs: number,
): boolean {
  if (quotedAt === null || quoteExpiresAt === null) return false;
  const lifetimeMs = quoteExpiresAt.getTime() - quotedAt.getTime();
  // It expired before it was issued: the clocks differ, and only the provider can tell.
  if (lifetimeMs <= 0) return false;
  return quoteExpiresAt.getTime() - Math.min(QUOTE_MARGIN_MS, lifetimeMs / 2) < nowMs;
}
