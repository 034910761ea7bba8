/** A callback that is scheduled. Setting `cancelled` prevents it. */
export interface ScheduledEvent {
  readonly dueAtMs: number;
  cancelled: boolean;
}

interface Entry extends ScheduledEvent {
  /** Orders events that are due at the same time by when they were scheduled. */
  readonly order: number;
  readonly run: () => void;
}

/** The time that a clock shows, and by how much it was advanced manually. */
export interface ClockReading {
  readonly atMs: number;
  readonly aheadMs: number;
}

/** The runtime's timers cannot be longer than this; a longer wait takes several. */
const MAX_TIMER_MS = 2_000_000_000;

/**
 * The sandbox's only clock and scheduler. It follows `wallNow`, never goes back, and can be advanced manually: events
 * that become due run in order, each at its own time. A frozen clock moves only when it is advanced.
 *
 * Results depend on scheduled times only, not on the delay of a timer: `freeze` first runs every event that is due.
 * That makes a replay possible: with `from` the clock starts in the past, moves only by `replayAt`, and follows
 * `wallNow` after `finishReplay`.
 */
export class Clock {
  readonly #wallNow: () => number;
  readonly #isFrozen: boolean;
  readonly #heap: Entry[] = [];
  #isReplaying: boolean;
  #aheadMs: number;
  #latestMs: number;
  /** The time that the clock shows while an event or call runs; null in between. */
  #currentMs: number | null = null;
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #timerFor: Entry | undefined;
  #closed = false;

  constructor(wallNow: () => number, isFrozen: boolean, from?: ClockReading) {
    this.#wallNow = wallNow;
    this.#isFrozen = isFrozen;
    this.#isReplaying = from !== undefined;
    this.#aheadMs = from?.aheadMs ?? 0;
    this.#latestMs = from?.atMs ?? 0;
  }

  /** Milliseconds since 1970, UTC. */
  now(): number {
    if (this.#currentMs !== null) return this.#currentMs;
    if (!this.#isReplaying) this.#latestMs = Math.max(this.#latestMs, this.#wallNow() + this.#aheadMs);
    return this.#latestMs;
  }

  reading(): ClockReading {
    return { atMs: this.now(), aheadMs: this.#aheadMs };
  }

  /** Runs a callback once, `delayMs` from now. */
  after(delayMs: number, run: () => void): ScheduledEvent {
    const entry: Entry = { dueAtMs: this.now() + Math.max(0, delayMs), order: this.#order++, cancelled: false, run };
    push(this.#heap, entry);
    if (this.#currentMs === null) this.#setTimer();
    return entry;
  }

  /** Runs the events that are due, then `perform`, during which the time does not change. */
  freeze<Result>(perform: () => Result): Result {
    return this.#currentMs === null ? this.#performAt(this.now(), perform) : perform();
  }

  /** Repeats what was performed at a time in the past, after all events that were due by then. */
  replayAt(atMs: number, perform: () => unknown): void {
    this.#performAt(Math.max(atMs, this.#latestMs), perform);
  }

  /** Ends a replay: events that became due since then run, each at its own time. */
  finishReplay(): void {
    this.#isReplaying = false;
    this.freeze(() => undefined);
  }

  /** Moves the clock forward; returns the new time. */
  advance(byMs: number): number {
    return this.freeze(() => {
      this.#aheadMs += byMs;
      return this.#runUntil(this.now() + byMs);
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#heap.length = 0;
  }

  #performAt<Result>(atMs: number, perform: () => Result): Result {
    try {
      this.#runUntil(atMs);
      return perform();
    } finally {
      this.#latestMs = Math.max(this.#latestMs, this.now());
      this.#currentMs = null;
      this.#setTimer();
    }
  }

  #runUntil(targetMs: number): number {
    for (let next = this.#heap[0]; next && next.dueAtMs <= targetMs; next = this.#heap[0]) {
      this.#currentMs = next.dueAtMs;
      pop(this.#heap);
      if (!next.cancelled) next.run();
    }
    this.#currentMs = targetMs;
    return targetMs;
  }

  #setTimer(): void {
    const next = this.#heap[0];
    if (next === this.#timerFor) return;
    clearTimeout(this.#timer);
    this.#timerFor = undefined;
    if (!next || this.#closed || this.#isFrozen || this.#isReplaying) return;
    const waitMs = Math.min(MAX_TIMER_MS, Math.max(0, next.dueAtMs - this.now()));
    this.#timerFor = next;
    this.#timer = setTimeout(() => {
      this.#timerFor = undefined;
      this.freeze(() => undefined);
    }, waitMs);
    this.#timer.unref();
  }
}

const before = (a: Entry, b: Entry): boolean => a.dueAtMs < b.dueAtMs || (a.dueAtMs === b.dueAtMs && a.order < b.order);

function push(heap: Entry[], entry: Entry): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parentIndex = (index - 1) >> 1;
    const parent = heap[parentIndex];
    if (!parent || before(parent, entry)) break;
    heap[index] = parent;
    index = parentIndex;
  }
  heap[index] = entry;
}

function pop(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    let childIndex = left;
    const [a, b] = [heap[left], heap[left + 1]];
    if (!a) break;
    if (b && before(b, a)) childIndex = left + 1;
    const child = childIndex === left ? a : (b ?? a);
    if (!before(child, last)) break;
    heap[index] = child;
    index = childIndex;
  }
  heap[index] = last;
}
