import { invalidField } from '../refusal.ts';

/** A stretch of time: from `fromMs` (inclusive) to `toMs` (exclusive). */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const iso = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads the bounds of a find. A time without a zone is UTC.
 * @throws Refusal `validation_failed` for a bound that is no ISO 8601 date
 */
export function readTimeRange(startDate: string | null | undefined, endDate: string | null | undefined): TimeRange {
  return {
    fromMs: boundMs('startDate', startDate) ?? Number.NEGATIVE_INFINITY,
    toMs: boundMs('endDate', endDate) ?? Number.POSITIVE_INFINITY,
  };
}

function boundMs(place: string, text: string | null | undefined): number | undefined {
  if (text === undefined || text === null) return undefined;
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  const timeMs = iso.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(timeMs))
    throw invalidField(place, 'must be an ISO 8601 UTC timestamp, e.g. 2026-01-31T00:00:00.000Z');
  return timeMs;
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
