import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupIntervals, type Interval, matchIntervals } from '../../domain/reconciliation/interval-matching.ts';

const someDates = fc.array(fc.nat(12), { maxLength: 6 }).map((dates) => dates.sort((a, b) => a - b));
const someIntervals = fc.array(
  fc
    .record({ fromMs: fc.nat(12), lengthMs: fc.nat(6), rank: fc.nat(2) })
    .map(({ fromMs, lengthMs, rank }): Interval => ({ fromMs, untilMs: fromMs + lengthMs, rank })),
  { maxLength: 6 },
);

/** Every set of intervals that can be matched, found by trying everything; how many of each rank it has. */
function bestByBruteForce(dates: readonly number[], intervals: readonly Interval[]): number[] {
  let best = [0, 0, 0, 0];
  const extend = (at: number, used: ReadonlySet<number>, counts: readonly number[]): void => {
    const interval = intervals[at];
    if (interval === undefined) {
      if (isBetter(counts, best)) best = [...counts];
      return;
    }
    extend(at + 1, used, counts);
    for (const [date, dateMs] of dates.entries()) {
      if (used.has(date) || dateMs < interval.fromMs || dateMs > interval.untilMs) continue;
      const more = counts.map((count, index) => (index === 0 || index === interval.rank + 1 ? count + 1 : count));
      extend(at + 1, new Set([...used, date]), more);
    }
  };
  extend(0, new Set(), best);
  return best;
}

/** In all, then of rank 0, 1 and 2. */
function isBetter(counts: readonly number[], best: readonly number[]): boolean {
  const differs = counts.findIndex((count, index) => count !== best[index]);
  return differs >= 0 && (counts[differs] ?? 0) > (best[differs] ?? 0);
}

test('as many as possible are matched, those of lower rank first, as brute force finds', () => {
  fc.assert(
    fc.property(someDates, someIntervals, (dates, intervals) => {
      const dateOf = [...matchIntervals(dates, intervals)];
      const matched = intervals.filter((_, index) => (dateOf[index] ?? -1) >= 0);
      for (const [index, date] of dateOf.entries()) {
        if (date < 0) continue;
        expect(dates[date]).toBeGreaterThanOrEqual(intervals[index]!.fromMs);
        expect(dates[date]).toBeLessThanOrEqual(intervals[index]!.untilMs);
      }
      const used = dateOf.filter((date) => date >= 0);
      expect(new Set(used).size).toBe(used.length);
      const counts = [0, 1, 2].map((rank) => matched.filter((interval) => interval.rank === rank).length);
      expect([matched.length, ...counts]).toEqual(bestByBruteForce(dates, intervals));
    }),
    { numRuns: 3000 },
  );
});

test('groups contain all that can be matched with each other, and every interval once', () => {
  fc.assert(
    fc.property(someDates, someIntervals, (dates, intervals) => {
      const groups = groupIntervals(dates, intervals);
      expect(groups.flatMap((group) => group.intervals).sort((a, b) => a - b)).toEqual([...intervals.keys()]);
      const groupOf = new Map(groups.flatMap((group, at) => group.intervals.map((index) => [index, at] as const)));
      for (const [index, interval] of intervals.entries()) {
        const inside = [...dates.keys()].filter(
          (date) => dates[date]! >= interval.fromMs && dates[date]! <= interval.untilMs,
        );
        expect(groups[groupOf.get(index)!]!.dates).toEqual(expect.arrayContaining(inside));
      }
      const grouped = groups.flatMap((group) => group.dates);
      expect(new Set(grouped).size).toBe(grouped.length);
    }),
    { numRuns: 2000 },
  );
});
