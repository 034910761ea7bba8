import { describe, expect, test } from 'vitest';
import { addDays } from '../../domain/calendar-date.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { bookDay, type BookedDay, type BroughtForward, SEEN_AFTER_MS } from '../../domain/reconciliation/book-day.ts';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { dateOf } from '../../domain/reconciliation/movement.ts';
import { DAY_MS, DayGenerator } from '../../fixtures/reconciliation/day-generator.ts';
import { PlantedDayGenerator } from '../../fixtures/reconciliation/planted-day.ts';
import { movementsOf } from './reconcile-day.ts';

/** `npm run test:long` asks for 20: all of these. */
const SEEDS = Number(process.env.RECONCILIATION_SEEDS ?? 2);
const FIRST_MS = Date.UTC(2026, 2, 2);

interface Known {
  movements: Movement[];
  facts: Fact[];
  listed: Fact[];
}

/** Days, the first perhaps with breaks, as one history. */
function aHistory(days: number, seed: number, First: typeof DayGenerator): Known {
  let opening: ReadonlyMap<string, bigint> | undefined;
  const known: Known = { movements: [], facts: [], listed: [] };
  for (let number = 0; number < days; number += 1) {
    const Generator = number === 0 ? First : DayGenerator;
    const day = new Generator(seed + number, FIRST_MS + number * DAY_MS, opening).generate(5_000);
    opening = day.closing;
    known.movements.push(...movementsOf(day).movements);
    known.facts.push(...day.facts);
    known.listed.push(...day.listed);
  }
  return known;
}

/** Each day with what was known six hours after it, what it left open given to the next. */
function bookDays({ movements, facts, listed }: Known, days: number): BookedDay[] {
  const booked: BookedDay[] = [];
  const [bookedEntries, closed] = [new Set<Movement>(), new Set<string>()];
  let brought: BroughtForward | null = null;
  for (let number = 0; number < days; number += 1) {
    const endMs = FIRST_MS + (number + 1) * DAY_MS;
    const isOpen = ({ factId, legs }: Fact): boolean =>
      !closed.has(factId) && legs.some(({ fromMs }) => fromMs < endMs);
    const day = bookDay({
      account: 'main',
      day: addDays('2026-03-02', number),
      movements: movements.filter((one) => (dateOf(one) ?? 0) < endMs + SEEN_AFTER_MS && !bookedEntries.has(one)),
      shown: {},
      facts: facts.filter(isOpen),
      listed: listed.filter(isOpen),
      brought,
    });
    for (const entry of day.entries) bookedEntries.add(entry);
    for (const factId of day.closedFacts) closed.add(factId);
    // As it is kept between two days.
    brought = JSON.parse(JSON.stringify(day.carried)) as BroughtForward;
    booked.push(day);
  }
  expect(bookedEntries.size).toBe(movements.length);
  return booked;
}

describe('days that are reconciled one after another', () => {
  test.each([1, 16, 2, 3, 11, 12].slice(0, SEEDS))(
    'find the two of each break of the first day, and nothing else (seed %i)',
    (seed) => {
      const booked = bookDays(aHistory(3, seed, PlantedDayGenerator), 5);
      const found = booked.flatMap(({ reconciliation }) => reconciliation.breaks);
      // No balance is shown after a day: nothing can differ from it.
      const expected = BREAK_TYPES.map((type) => [type, type === 'closing_differs' ? 0 : 2]);
      expect(BREAK_TYPES.map((type) => [type, found.filter((one) => one.type === type).length])).toEqual(expected);
    },
  );

  test.each([1, 2, 3, 4].slice(0, SEEDS))(
    'find nothing where nothing is wrong, and their books continue each other (seed %i)',
    (seed) => {
      // A funding that was not seen may have its debit for a week.
      const booked = bookDays(aHistory(3, 500 + seed, DayGenerator), 12);
      expect(booked.flatMap(({ reconciliation }) => reconciliation.breaks)).toEqual([]);
      for (const [number, { books }] of booked.entries()) {
        const before = booked[number - 1]?.books;
        for (const { currency, opening } of before === undefined ? [] : books) {
          expect(opening).toBe(before?.find((one) => one.currency === currency)?.closing);
        }
      }
      expect(booked.at(-1)?.carried).toMatchObject({ facts: [], openOn: {} });
    },
  );
});
