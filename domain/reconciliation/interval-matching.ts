/** Matching of dates to intervals that may contain them, where any date may belong to any interval that contains it. */

export interface Interval {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Intervals of a lower rank have precedence. */
  readonly rank: number;
}

/** Intervals that overlap, directly or through others, and the dates within them. Indexes into the input. */
export interface IntervalGroup {
  readonly intervals: number[];
  readonly dates: number[];
}

/** Groups are independent of each other. `dates` ascend. Intervals without dates are included. */
export function groupIntervals(dates: readonly number[], intervals: readonly Interval[]): IntervalGroup[] {
  const order = indexesBy(intervals, ({ fromMs }) => fromMs);
  const groups: IntervalGroup[] = [];
  let untilMs = -Infinity;
  let next = 0;
  const takeDatesUntil = (endMs: number, into: number[] | undefined): void => {
    for (; next < dates.length && (dates[next] ?? 0) <= endMs; next += 1) into?.push(next);
  };
  for (const index of order) {
    const interval = intervals[index];
    if (interval === undefined) continue;
    if (interval.fromMs > untilMs) {
      takeDatesUntil(untilMs, groups.at(-1)?.dates);
      // Dates between two groups belong to neither.
      while (next < dates.length && (dates[next] ?? 0) < interval.fromMs) next += 1;
      groups.push({ intervals: [], dates: [] });
    }
    groups.at(-1)?.intervals.push(index);
    untilMs = Math.max(untilMs, interval.untilMs);
  }
  takeDatesUntil(untilMs, groups.at(-1)?.dates);
  return groups;
}

/**
 * Matches as many dates as possible; among such matchings one with as many intervals of rank 0 as possible, then of rank
 * 1, and so on. Returns the index of the date for every interval, -1 for none. O(n log n) with one rank.
 */
export function matchIntervals(dates: readonly number[], intervals: readonly Interval[]): Int32Array {
  const everything = intervals.map((_, index) => index);
  const ranks = [...new Set(intervals.map(({ rank }) => rank))].sort((a, b) => a - b);
  if (ranks.length < 2) return earliestDeadlineFirst(dates, intervals, everything);
  const most = matchedOf(earliestDeadlineFirst(dates, intervals, everything)).length;
  let chosen: number[] = [];
  for (const rank of ranks) {
    const candidates = everything.filter((index) => intervals[index]?.rank === rank);
    chosen = extended(chosen, candidates, dates, intervals, most);
  }
  return earliestDeadlineFirst(dates, intervals, chosen);
}

/**
 * As many of the candidates as can be matched together with those chosen already. What can be matched together is a
 * matroid, so that one candidate after another may be decided; they are decided in blocks, halved where one does not fit.
 */
function extended(
  chosen: readonly number[],
  candidates: readonly number[],
  dates: readonly number[],
  intervals: readonly Interval[],
  most: number,
): number[] {
  let result = [...chosen];
  const open = [candidates];
  for (let block = open.pop(); block !== undefined && result.length < most; block = open.pop()) {
    if (block.length === 0) continue;
    const together = [...result, ...block];
    const matched = matchedOf(earliestDeadlineFirst(dates, intervals, together));
    if (matched.length === together.length) {
      result = together;
    } else if (result.length === 0) {
      result = matched;
    } else if (block.length > 1) {
      const half = block.length >> 1;
      open.push(block.slice(half), block.slice(0, half));
    }
  }
  return result;
}

function matchedOf(dateOf: Int32Array): number[] {
  const matched: number[] = [];
  for (const [interval, date] of dateOf.entries()) if (date >= 0) matched.push(interval);
  return matched;
}

/** Each date goes to the interval that contains it and ends first (Glover's algorithm): a maximum matching. */
function earliestDeadlineFirst(
  dates: readonly number[],
  intervals: readonly Interval[],
  chosen: readonly number[],
): Int32Array {
  const dateOf = new Int32Array(intervals.length).fill(-1);
  const order = indexesBy(chosen, (index) => intervals[index]?.fromMs ?? 0).map((at) => chosen[at] ?? 0);
  const open = new DeadlineHeap((index) => intervals[index]?.untilMs ?? 0);
  let next = 0;
  for (const [date, dateMs] of dates.entries()) {
    for (; next < order.length; next += 1) {
      const index = order[next] ?? 0;
      if ((intervals[index]?.fromMs ?? 0) > dateMs) break;
      open.push(index);
    }
    for (let first = open.pop(); first !== undefined; first = open.pop()) {
      if ((intervals[first]?.untilMs ?? 0) < dateMs) continue;
      dateOf[first] = date;
      break;
    }
  }
  return dateOf;
}

function indexesBy<Item>(items: readonly Item[], keyOf: (item: Item) => number): number[] {
  const keys = Float64Array.from(items, keyOf);
  return [...items.keys()].sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b);
}

/** A binary heap of indexes: the earliest deadline first, of equal ones the lowest index. */
class DeadlineHeap {
  readonly #items: number[] = [];
  readonly #deadlineOf: (index: number) => number;

  constructor(deadlineOf: (index: number) => number) {
    this.#deadlineOf = deadlineOf;
  }

  push(item: number): void {
    let at = this.#items.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isBefore(parent, at)) return;
      this.#swap(parent, at);
      at = parent;
    }
  }

  pop(): number | undefined {
    const [first] = this.#items;
    const last = this.#items.pop();
    if (first === undefined || last === undefined || this.#items.length === 0) return first;
    this.#items[0] = last;
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= this.#items.length) return first;
      const child = right < this.#items.length && this.#isBefore(right, left) ? right : left;
      if (this.#isBefore(at, child)) return first;
      this.#swap(at, child);
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one = 0, other = 0] = [this.#items[a], this.#items[b]];
    const difference = this.#deadlineOf(one) - this.#deadlineOf(other);
    return difference === 0 ? one <= other : difference < 0;
  }

  #swap(a: number, b: number): void {
    const [one = 0, other = 0] = [this.#items[a], this.#items[b]];
    this.#items[a] = other;
    this.#items[b] = one;
  }
}
