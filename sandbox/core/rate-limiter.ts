const WINDOW_MS = 1000;
const DAY_MS = 86_400_000;

/** A request over a limit: which limit, and the seconds until it may be tried again. */
export interface OverLimit {
  readonly retryAfterSeconds: number;
  readonly limit: 'second' | 'day';
}

/**
 * The request limits of one API key: per any window of a second (two requests exactly a second apart are never in the
 * same window) and per UTC day. A rejected request does not count towards the window. 0 lifts a limit.
 * Contract: account 8.
 */
export class RateLimiter {
  readonly #perSecond: number;
  readonly #perDay: number;
  /** Times of the last accepted requests, as many as the limit; the next one replaces the oldest. */
  readonly #accepted: Float64Array;
  #oldestAccepted = 0;
  #day = -1;
  #acceptedToday = 0;
  /** Times of all requests of the last second, from index `#oldestRecent` on. */
  #recent: number[] = [];
  #oldestRecent = 0;
  rejectedByLimit = 0;
  mostInAnySecond = 0;

  constructor(perSecond: number, perDay: number) {
    this.#perSecond = perSecond;
    this.#perDay = perDay;
    this.#accepted = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * Counts a request, and returns the limit that it exceeds, if any. `atMs` is the monotonic, high-resolution time at
   * which the request arrived; `nowMs` is the time of the sandbox's clock, which determines the day.
   */
  countRequest(atMs: number, nowMs: number): OverLimit | undefined {
    this.#countRecent(atMs);
    const over = this.#overLimit(atMs, nowMs);
    if (over) {
      this.rejectedByLimit += 1;
      return over;
    }
    this.#acceptedToday += 1;
    if (this.#perSecond > 0) {
      this.#accepted[this.#oldestAccepted] = atMs;
      this.#oldestAccepted = (this.#oldestAccepted + 1) % this.#perSecond;
    }
    return undefined;
  }

  #overLimit(atMs: number, nowMs: number): OverLimit | undefined {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) [this.#day, this.#acceptedToday] = [day, 0];
    if (this.#perDay > 0 && this.#acceptedToday >= this.#perDay) {
      return { limit: 'day', retryAfterSeconds: Math.ceil(((day + 1) * DAY_MS - nowMs) / 1000) };
    }
    const oldest = this.#accepted[this.#oldestAccepted];
    if (this.#perSecond > 0 && oldest !== undefined && atMs - oldest < WINDOW_MS) {
      return { limit: 'second', retryAfterSeconds: 1 };
    }
    return undefined;
  }

  #countRecent(atMs: number): void {
    this.#recent.push(atMs);
    for (let time = this.#recent[this.#oldestRecent]; time !== undefined && atMs - time >= WINDOW_MS; ) {
      this.#oldestRecent += 1;
      time = this.#recent[this.#oldestRecent];
    }
    this.mostInAnySecond = Math.max(this.mostInAnySecond, this.#recent.length - this.#oldestRecent);
    if (this.#oldestRecent > 1024 && this.#oldestRecent * 2 > this.#recent.length) {
      this.#recent = this.#recent.slice(this.#oldestRecent);
      this.#oldestRecent = 0;
    }
  }
}
