/** Steady clocks of two machines go apart by this much at most, as a share of the time that passes. */
const DRIFT = 0.0002;

const MOST_REMEMBERED = 200;

/**
 * What is known of the steady clocks of other processes. A clock's reading was taken before it was written, and it was
 * written before it was read here: so the least distance ever seen between the two readings bounds how late any instant
 * of theirs can be on our clock. No wall clock takes part. All times in milliseconds.
 */
export class PeerClocks {
  readonly #bounds = new Map<string, { leastMs: number; atMs: number }>();

  /** The reading came from `holder`, and was in our hands at `oursMs` of our own clock. */
  note(holder: string, theirsMs: number, oursMs: number): void {
    const leastMs = Math.min(this.#boundMs(holder, oursMs), oursMs - theirsMs);
    this.#bounds.delete(holder);
    this.#bounds.set(holder, { leastMs, atMs: oursMs });
    const [oldest] = this.#bounds.keys();
    if (this.#bounds.size > MOST_REMEMBERED && oldest !== undefined) this.#bounds.delete(oldest);
  }

  /** The latest instant of our clock at which theirs can have shown this; Infinity when nothing is known of it. */
  latestMs(holder: string, theirsMs: number, nowMs: number): number {
    return theirsMs + this.#boundMs(holder, nowMs);
  }

  #boundMs(holder: string, nowMs: number): number {
    const bound = this.#bounds.get(holder);
    return bound === undefined ? Number.POSITIVE_INFINITY : bound.leastMs + (nowMs - bound.atMs) * DRIFT;
  }
}
