/** Maximum drift between the steady clocks of two machines, as a share of the elapsed time. */
const DRIFT = 0.0002;

const MAX_REMEMBERED = 200;

/**
 * Bounds on the steady clocks of other processes. A reading of their clock was taken before it was written, and read here
 * later: so the smallest difference ever seen between our clock and their reading bounds how late any of their instants can
 * be on our clock. No wall clock is used. All times in milliseconds.
 */
export class PeerClocks {
  readonly #bounds = new Map<string, { minMs: number; atMs: number }>();

  /** Notes a reading of `holder`'s clock, received at `oursMs` by our clock. */
  note(holder: string, theirsMs: number, oursMs: number): void {
    const minMs = Math.min(this.#boundMs(holder, oursMs), oursMs - theirsMs);
    this.#bounds.delete(holder);
    this.#bounds.set(holder, { minMs, atMs: oursMs });
    const [oldest] = this.#bounds.keys();
    if (this.#bounds.size > MAX_REMEMBERED && oldest !== undefined) this.#bounds.delete(oldest);
  }

  /** The latest time on our clock at which theirs can have shown `theirsMs`; Infinity if nothing is known about it. */
  latestMs(holder: string, theirsMs: number, nowMs: number): number {
    return theirsMs + this.#boundMs(holder, nowMs);
  }

  #boundMs(holder: string, nowMs: number): number {
    const bound = this.#bounds.get(holder);
    return bound === undefined ? Number.POSITIVE_INFINITY : bound.minMs + (nowMs - bound.atMs) * DRIFT;
  }
}
