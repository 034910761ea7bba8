import { describe, expect, test } from 'vitest';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import { DAY_MS, DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { described, isPlanted, movementsOf, reconcileDay } from './reconcile-day.ts';

const DAY = Date.UTC(2026, 2, 2);
/** `npm run test:long` tries 20. */
const SEEDS = Number(process.env.RECONCILIATION_SEEDS ?? 5);
const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);

describe('a day of 5,000 movements', () => {
  test.each(seeds)('with two of each break has exactly these (seed %i)', (seed) => {
    const day = new PlantedDayGenerator(seed, DAY).generate(5_000);
    expect(day.lines.length).toBeGreaterThan(4_000);
    const { tags } = movementsOf(day);
    const found = reconcileDay(day).breaks.map((one) => described(one, tags));
    const unmatched = [...found];
    const missed = day.planted.filter((planted) => {
      const at = unmatched.findIndex((one) => isPlanted(one, planted));
      if (at !== -1) unmatched.splice(at, 1);
      return at === -1;
    });
    expect({ missed, unmatched }).toEqual({ missed: [], unmatched: [] });
    expect(BREAK_TYPES.map((type) => found.filter((one) => one.type === type).length)).toEqual(
      BREAK_TYPES.map(() => 2),
    );
  });

  test.each(seeds)('without any has none (seed %i)', (seed) => {
    const day = new DayGenerator(1000 + seed, DAY).generate(5_000);
    // A funding that was not seen may have its debit for a week.
    const result = reconcileDay(day, { asOfMs: DAY + 9 * DAY_MS });
    expect(result.breaks).toEqual([]);
    expect(result.openFacts).toEqual([]);
    expect(result.openEntries).toEqual([]);
    expect(result.chains.map(({ isComplete }) => isComplete)).toEqual([true, true, true, true]);
  });
});
