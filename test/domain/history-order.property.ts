import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identifyEntries } from '../../domain/accounts/history-entry.ts';
import { isChainComplete, orderHistory } from '../../domain/accounts/history-order.ts';
import { orderByPosting } from '../../domain/reconciliation/posting-order.ts';
import { aHistory, keys, shuffled, steps } from './history-chains.ts';

const end = (history: ReturnType<typeof aHistory>): string => history.at(-1)?.amountAfter ?? '';

describe.each([
  ['as entries are stored', orderHistory],
  ['of the whole history', orderByPosting],
] as const)('the order %s', (_, ordering) => {
  test('a complete history is a complete chain in any order of the answer, with known or unknown opening', () => {
    fc.assert(
      fc.property(steps, keys, fc.constantFrom('100', null), (course, order, opening) => {
        const history = aHistory(100, course);
        const ordered = ordering(shuffled(history, order), { opening });
        expect(ordered.entries).toHaveLength(history.length);
        expect(new Set(ordered.entries)).toEqual(new Set(history));
        expect(ordered.gaps).toEqual([]);
        // Without an opening a history that ends where it began could have begun elsewhere.
        const begin = ordered.entries[0]?.amountBefore ?? '';
        if (opening !== null) expect(isChainComplete(ordered, '100.000', end(history))).toBe(true);
        expect(isChainComplete(ordered, begin, ordered.entries.at(-1)?.amountAfter ?? '')).toBe(true);
        for (const [index, entry] of ordered.entries.slice(1).entries()) {
          const before = ordered.entries[index];
          expect(Number(before?.amountAfter)).toBe(Number(entry.amountBefore));
          expect(entry.date >= (before?.date ?? '')).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });

  test('two orders of the same answer give the same chain', () => {
    fc.assert(
      fc.property(steps, keys, keys, fc.nat(5), (course, order, other, dropped) => {
        const history = aHistory(100, course).filter((_, index) => index % 6 !== dropped);
        expect(ordering(shuffled(history, order))).toEqual(ordering(shuffled(history, other)));
      }),
      { numRuns: 2000 },
    );
  });

  test('where the links determine the order, it is the order in which the changes were made', () => {
    // Only credits: no balance is reached twice, so there is one chain, even if all dates are equal.
    const credits = fc.array(fc.record({ seconds: fc.constantFrom(0, 0, 1), change: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(credits, keys, (course, order) => {
        const history = aHistory(100, course);
        expect(ordering(shuffled(history, order)).entries).toEqual(history);
      }),
      { numRuns: 1000 },
    );
  });

  test('dates of neighbours that are in the opposite order within two seconds do not break the chain', () => {
    const apart = fc.array(fc.record({ seconds: fc.constantFrom(0, 1, 30), change: fc.constantFrom(10, -10, 3, 4) }), {
      minLength: 2,
      maxLength: 40,
    });
    fc.assert(
      fc.property(apart, fc.nat(38), keys, (course, at, order) => {
        // Others of the same second would be a second inversion.
        const alone = course.map((step, index) => ({
          ...step,
          seconds: Math.abs(index - at - 0.5) < 2 ? 30 : step.seconds,
        }));
        const close = alone.map((step, index) => ({ ...step, seconds: index === at + 1 ? 1 : step.seconds }));
        const history = aHistory(100, close);
        const [one, two] = [history[at], history[at + 1]];
        if (one !== undefined && two !== undefined) [one.date, two.date] = [two.date, one.date];
        const ordered = ordering(shuffled(history, order), { opening: '100' });
        expect(ordered.gaps).toEqual([]);
        expect(isChainComplete(ordered, '100', end(history))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('an entry that is missing shows as a gap, unless the changes around it cancel it out', () => {
    const credits = fc.array(fc.record({ seconds: fc.constantFrom(0, 1), change: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 3,
      maxLength: 40,
    });
    fc.assert(
      fc.property(credits, fc.nat(37), keys, (course, missing, order) => {
        const history = aHistory(100, course);
        const at = 1 + (missing % (history.length - 2));
        const rest = history.filter((_, index) => index !== at);
        const { gaps, entries } = ordering(shuffled(rest, order), { opening: '100' });
        expect(entries).toEqual(rest);
        expect(gaps).toMatchObject([{ after: history[at - 1], before: history[at + 1] }]);
        expect(Number(gaps[0]?.expected)).toBe(Number(history[at]?.amountBefore));
      }),
      { numRuns: 1000 },
    );
  });

  test('entries without ids get the same ids from overlapping answers, each its own', () => {
    fc.assert(
      fc.property(steps, keys, keys, (course, order, other) => {
        const history = aHistory(100, course).map((entry) => ({ ...entry, entryId: '', providerId: null }));
        const one = identifyEntries(shuffled(history, order)).map(({ entryId }) => entryId);
        const two = identifyEntries(shuffled(history, other)).map(({ entryId }) => entryId);
        expect(new Set(one).size).toBe(history.length);
        expect(new Set(two)).toEqual(new Set(one));
      }),
      { numRuns: 500 },
    );
  });
});
