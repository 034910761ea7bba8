const MINUTE_MS = 60_000;

/** A few events for every request that an account may send, and enough for accounts that may send few. */
const EVENTS_PER_REQUEST = 4;
const LEAST_PER_MINUTE = 3_000;
const WITHOUT_LIMIT = 60_000;

/** How many webhooks a minute an account with so many requests a second (0: no limit) can have use for. */
export function webhooksPerMinute(requestsPerSecond: number): number {
  if (requestsPerSecond === 0) return WITHOUT_LIMIT;
  return Math.max(LEAST_PER_MINUTE, requestsPerSecond * 60 * EVENTS_PER_REQUEST);
}

/** Takes so many webhooks of an account a minute, so that whoever has its address cannot fill the record. */
export class WebhookQuota {
  readonly #limitOf: (account: string) => number;
  readonly #now: () => number;
  readonly #windows = new Map<string, { begunAtMs: number; count: number }>();

  /** `now` in milliseconds, on a clock that only goes forward. */
  constructor(limitOf: (account: string) => number, now: () => number = () => performance.now()) {
    this.#limitOf = limitOf;
    this.#now = now;
  }

  /** Null: it is taken. Else it is too many, and after so many seconds there is room again. */
  take(account: string): { retryAfterSeconds: number; isFirst: boolean } | null {
    const nowMs = this.#now();
    const known = this.#windows.get(account);
    const window = known !== undefined && nowMs - known.begunAtMs < MINUTE_MS ? known : { begunAtMs: nowMs, count: 0 };
    this.#windows.set(account, window);
    window.count += 1;
    const limit = this.#limitOf(account);
    if (window.count <= limit) return null;
    const leftMs = window.begunAtMs + MINUTE_MS - nowMs;
    return { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)), isFirst: window.count === limit + 1 };
  }
}
