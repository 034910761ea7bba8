const MINUTE_MS = 60_000;

/** A few events for every request of an account, and enough for accounts with few requests. */
const EVENTS_PER_REQUEST = 4;
const MIN_PER_MINUTE = 3_000;
const PER_MINUTE_WITHOUT_LIMIT = 60_000;

/** Webhooks per minute that an account with this request limit (0: none) can need. */
export function webhooksPerMinute(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return PER_MINUTE_WITHOUT_LIMIT;
  return Math.max(MIN_PER_MINUTE, requestsPerSecond * 60 * EVENTS_PER_REQUEST);
}

/** Limits the webhooks of an account per minute, so that nobody who knows the address can fill the database. */
export class WebhookQuota {
  readonly #now: () => number;
  readonly #windows = new Map<string, { begunAtMs: number; count: number }>();

  /** `now` in milliseconds, on a clock that only goes forward. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** `limit`: webhooks per minute. Null: accepted. Otherwise over the limit; `retryAfterSeconds` until webhooks are accepted again. */
  take(account: string, limit: number): { retryAfterSeconds: number; isFirst: boolean } | null {
    const nowMs = this.#now();
    const known = this.#windows.get(account);
    const window = known !== undefined && nowMs - known.begunAtMs < MINUTE_MS ? known : { begunAtMs: nowMs, count: 0 };
    this.#windows.set(account, window);
    window.count += 1;
    if (window.count <= limit) return null;
    const leftMs = window.begunAtMs + MINUTE_MS - nowMs;
    return { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)), isFirst: window.count === limit + 1 };
  }
}
