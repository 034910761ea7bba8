/** Something that happens later. `cancelled` is set by whoever no longer wants it. */
export interface Appointment {
  readonly dueAtMs: number;
  cancelled: boolean;
}

interface Entry extends Appointment {
  readonly order: number;
  readonly happen: () => void;
}

/** No timer of the runtime may be longer than this; a longer wait is taken in steps. */
const LONGEST_TIMER_MS = 2_000_000_000;

/**
 * The sandbox's one clock and the one scheduler on it. It follows `wallNow`, never goes back, and can be advanced by
 * hand: what falls due on the way happens in its order, each at its own moment. With `standing` it moves by hand alone.
 */
export class Clock {
  readonly #wallNow: () => number;
  readonly #standing: boolean;
  readonly #heap: Entry[] = [];
  #aheadMs = 0;
  #latestMs = 0;
  #order = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(wallNow: () => number, standing: boolean) {
    this.#wallNow = wallNow;
    this.#standing = standing;
  }

  /** Milliseconds since 1970, UTC. */
  now(): number {
    this.#latestMs = Math.max(this.#latestMs, this.#wallNow() + this.#aheadMs);
    return this.#latestMs;
  }

  /** Has `happen` called once, `delayMs` from now. */
  after(delayMs: number, happen: () => void): Appointment {
    const entry: Entry = { dueAtMs: this.now() + Math.max(0, delayMs), order: this.#order++, cancelled: false, happen };
    push(this.#heap, entry);
    if (this.#heap[0] === entry) this.#arm();
    return entry;
  }

  /** Moves the clock forward; returns the new time. */
  advance(byMs: number): number {
    const targetMs = this.now() + byMs;
    for (let next = this.#heap[0]; next && next.dueAtMs <= targetMs; next = this.#heap[0]) {
      this.#moveTo(next.dueAtMs);
      pop(this.#heap);
      if (!next.cancelled) next.happen();
    }
    this.#moveTo(targetMs);
    this.#arm();
    return this.now();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#heap.length = 0;
  }

  #moveTo(timeMs: number): void {
    this.#aheadMs += Math.max(0, timeMs - this.now());
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const next = this.#heap[0];
    if (!next || this.#closed || this.#standing) return;
    const waitMs = Math.min(LONGEST_TIMER_MS, Math.max(0, next.dueAtMs - this.now()));
    this.#timer = setTimeout(() => this.#runDue(), waitMs);
    this.#timer.unref();
  }

  #runDue(): void {
    for (let next = this.#heap[0]; next && next.dueAtMs <= this.now(); next = this.#heap[0]) {
      pop(this.#heap);
      if (!next.cancelled) next.happen();
    }
    this.#arm();
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
