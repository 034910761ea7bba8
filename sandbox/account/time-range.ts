/** A stretch of time: from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Reads the bounds of a find, which are ISO 8601. A time without a zone is UTC. */
export const readTimeRange = (startDate: string | null | undefined, endDate: string | null | undefined): TimeRange => ({
  fromMs: boundMs(startDate) ?? Number.NEGATIVE_INFINITY,
  toMs: boundMs(endDate) ?? Number.POSITIVE_INFINITY,
});

function boundMs(text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) || !text.includes('T');
  return Date.parse(zoned ? text : `${text}Z`);
}

/** What of a list in the order of time lies in the range, newest first. Found by halving, not by looking through. */
export function newestFirst<Item>(items: readonly Item[], timeOf: (item: Item) => number, range: TimeRange): Item[] {
  return items.slice(firstFrom(items, timeOf, range.fromMs), firstFrom(items, timeOf, range.toMs)).reverse();
}

function firstFrom<Item>(items: readonly Item[], timeOf: (item: Item) => number, boundMs: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) < boundMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
