/** From `fromMs` (inclusive) to `toMs` (exclusive). */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Parses the bounds of a find, which are ISO 8601. A time without a zone is UTC. */
export const readTimeRange = (startDate: string | null | undefined, endDate: string | null | undefined): TimeRange => ({
  fromMs: boundMs(startDate) ?? Number.NEGATIVE_INFINITY,
  toMs: boundMs(endDate) ?? Number.POSITIVE_INFINITY,
});

function boundMs(text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) || !text.includes('T');
  return Date.parse(zoned ? text : `${text}Z`);
}

/** The entries in the range of a list that is ordered by time, newest first. The bounds are found by binary search. */
export function newestFirst<Item>(items: readonly Item[], timeOf: (item: Item) => number, range: TimeRange): Item[] {
  return items.slice(firstIndexFrom(items, timeOf, range.fromMs), firstIndexFrom(items, timeOf, range.toMs)).reverse();
}

function firstIndexFrom<Item>(items: readonly Item[], timeOf: (item: Item) => number, boundMs: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && timeOf(item) < boundMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
