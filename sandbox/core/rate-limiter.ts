const WINDOW_MS = 1000;
const DAY_MS = 86_400_000;

/** Why a request was turned away: seconds until it may be tried again, and which limit it met. */
export interface OverLimit {
  readonly retryAfterSeconds: number;
  readonly limit: 'second' | 'day';
}

/**
 * The limit on one API key: so many arrivals in any window of a second (two arrivals exactly a second apart are never
 * in the same one), so many in a day of UTC. What is turned away does not count into the window. 0 lifts a limit.
 * Contract: account 8.
 */
export class Arrivals {
  readonly #perSecond: number;
  readonly #perDay: number;
  /** Times of the last accepted arrivals, as many as the limit; the next one replaces the oldest. */
  readonly #accepted: Float64Array;
  #acceptedPlace = 0;
  #day = -1;
  #acceptedToday = 0;
  /** Times of all arrivals of the last second, from `#oldest` on. */
  #recent: number[] = [];
  #oldest = 0;
  rejectedByLimit = 0;
  mostInAnySecond = 0;

  constructor(perSecond: number, perDay: number) {
    this.#perSecond = perSecond;
    this.#perDay = perDay;
    this.#accepted = new Float64Array(perSecond).fill(Number.NEGATIVE_INFINITY);
  }

  /**
   * Notes an arrival. `atMs` is monotonic with a high resolution and taken as the request came in; `nowMs` is the
   * sandbox's clock, for the day.
   */
  arrive(atMs: number, nowMs: number): OverLimit | undefined {
    this.#note(atMs);
    const over = this.#overLimit(atMs, nowMs);
    if (over) {
      this.rejectedByLimit += 1;
      return over;
    }
    this.#acceptedToday += 1;
    if (this.#perSecond > 0) {
      this.#accepted[this.#acceptedPlace] = atMs;
      this.#acceptedPlace = (this.#acceptedPlace + 1) % this.#perSecond;
    }
    return undefined;
  }

  #overLimit(atMs: number, nowMs: number): OverLimit | undefined {
    const day = Math.floor(nowMs / DAY_MS);
    if (day !== this.#day) [this.#day, this.#acceptedToday] = [day, 0];
    if (this.#perDay > 0 && this.#acceptedToday >= this.#perDay) {
      return { limit: 'day', retryAfterSeconds: Math.ceil(((day + 1) * DAY_MS - nowMs) / 1000) };
    }
    const oldest = this.#accepted[this.#acceptedPlace];
    if (this.#perSecond > 0 && oldest !== undefined && atMs - oldest < WINDOW_MS) {
      return { limit: 'second', retryAfterSeconds: 1 };
    }
    return undefined;
  }

  #note(atMs: number): void {
    this.#recent.push(atMs);
    for (let time = this.#recent[this.#oldest]; time !== undefined && atMs - time >= WINDOW_MS; ) {
      this.#oldest += 1;
      time = this.#recent[this.#oldest];
    }
    this.mostInAnySecond = Math.max(this.mostInAnySecond, this.#recent.length - this.#oldest);
    if (this.#oldest > 1024 && this.#oldest * 2 > this.#recent.length) {
      this.#recent = this.#recent.slice(this.#oldest);
      this.#oldest = 0;
    }
  }
}
