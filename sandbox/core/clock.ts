/** Something that happens later. `cancelled` is set by whoever no longer wants it. */
export interface Appointment {
  readonly dueAtMs: number;
  cancelled: boolean;
}

interface Entry extends Appointment {
  readonly order: number;
  readonly happen: () => void;
}

/** Where a clock goes on from: the time it shows, and how far it was moved ahead by hand. */
export interface ClockReading {
  readonly atMs: number;
  readonly aheadMs: number;
}

/** No timer of the runtime may be longer than this; a longer wait is taken in steps. */
const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * The sandbox's one clock and the one scheduler on it. It follows `wallNow`, never goes back, and can be advanced by
 * hand: what falls due on the way happens in its order, each at its own moment. With `standing` it moves by hand alone.
 *
 * What happens depends on times alone, not on how late a timer of the runtime is: `hold` first lets everything happen
 * that is due. That is what makes it possible to do the past again: with `from` the clock begins in the past, moves by
 * `doAgain` alone, and follows `wallNow` once it has caught up.
 */
export class Clock {
  readonly #wallNow: () => number;
  readonly #standing: boolean;
  readonly #heap: Entry[] = [];
  #inThePast: boolean;
  #aheadMs: number;
  #latestMs: number;
  /** What the clock shows while something happens; null in between. */
  #momentMs: number | null = null;
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerFor: Entry | undefined;
  #closed = false;

  constructor(wallNow: () => number, standing: boolean, from?: ClockReading) {
    this.#wallNow = wallNow;
    this.#standing = standing;
    this.#inThePast = from !== undefined;
    this.#aheadMs = from?.aheadMs ?? 0;
    this.#latestMs = from?.atMs ?? 0;
  }

  /** Milliseconds since 1970, UTC. */
  now(): number {
    if (this.#momentMs !== null) return this.#momentMs;
    if (!this.#inThePast) this.#latestMs = Math.max(this.#latestMs, this.#wallNow() + this.#aheadMs);
    return this.#latestMs;
  }

  reading(): ClockReading {
    return { atMs: this.now(), aheadMs: this.#aheadMs };
  }

  /** Has `happen` called once, `delayMs` from now. */
  after(delayMs: number, happen: () => void): Appointment {
    const entry: Entry = { dueAtMs: this.now() + Math.max(0, delayMs), order: this.#order++, cancelled: false, happen };
    push(this.#heap, entry);
    if (this.#momentMs === null) this.#arm();
    return entry;
  }

  /** Lets happen what is due, then performs something, during which the clock stands. */
  hold<Result>(perform: () => Result): Result {
    return this.#momentMs === null ? this.#standAt(this.now(), perform) : perform();
  }

  /** Performs again what was performed at a moment of the past, after all that was due by then. */
  doAgain(atMs: number, perform: () => unknown): void {
    this.#standAt(Math.max(atMs, this.#latestMs), perform);
  }

  /** Ends the past: what fell due since then happens, each at its own moment. */
  catchUp(): void {
    this.#inThePast = false;
    this.hold(() => undefined);
  }

  /** Moves the clock forward; returns the new time. */
  advance(byMs: number): number {
    return this.hold(() => {
      this.#aheadMs += byMs;
      return this.#runTo(this.now() + byMs);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#heap.length = 0;
  }

  #standAt<Result>(atMs: number, perform: () => Result): Result {
    try {
      this.#runTo(atMs);
      return perform();
    } finally {
      this.#latestMs = Math.max(this.#latestMs, this.now());
      this.#momentMs = null;
      this.#arm();
    }
  }

  #runTo(targetMs: number): number {
    for (let next = this.#heap[0]; next && next.dueAtMs <= targetMs; next = this.#heap[0]) {
      this.#momentMs = next.dueAtMs;
      pop(this.#heap);
      if (!next.cancelled) next.happen();
    }
    this.#momentMs = targetMs;
    return targetMs;
  }

  #arm(): void {
    const next = this.#heap[0];
    if (next === this.#timerFor) return;
    clearTimeout(this.#timer);
    this.#timerFor = undefined;
    if (!next || this.#closed || this.#standing || this.#inThePast) return;
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, next.dueAtMs - this.now()));
    this.#timerFor = next;
    this.#timer = setTimeout(() => {
      this.#timerFor = undefined;
      this.hold(() => undefined);
    }, waitMs);
    this.#timer.unref();
  }
}

const before = (a: Entry, b: Entry): boolean => a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.order < b.order);

function push(heap: Entry[], entry: Entry): void {
  let place = heap.push(entry) - 1;
  while (place > 0) {
    const parentPlace = (place - 1) >> 1;
    const parent = heap[parentPlace];
    if (!parent || before(parent, entry)) break;
    heap[place] = parent;
    place = parentPlace;
  }
  heap[place] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    let childPlace = left;
    const [a, b] = [heap[left], heap[left + 1]];
    if (!a) break;
    if (b && before(b, a)) childPlace = left + 1;
    const child = childPlace === left ? a : (b ?? a);
    if (!before(child, last)) break;
    heap[place] = child;
    place = childPlace;
  }
  heap[place] = last;
}
