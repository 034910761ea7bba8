import { describe, expect, test } from 'vitest';
import { BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import { bookDay, type BookedDay, type BroughtForward } from '../../domain/reconciliation/book-day.ts';
import type { Movement } from '../../domain/reconciliation/movement.ts';
import { countSides, amountsOf, sideOf } from '../../console/reconciliation/day-amounts.ts';
import { aBreak } from '../server/book-records.ts';

const [DAY, NEXT] = ['2026-03-02', '2026-03-03'] as const;

function entry(entryId: string, day: string, amountBefore: string, amountAfter: string): Movement {
  const date = Date.parse(`${day}T12:00:00Z`);
  return { entryId, date, currency: 'USD', type: '', transactionId: null, amountBefore, amountAfter };
}

function booked(day: string, brought: BroughtForward | null, movements: Movement[], shownBalance?: string): BookedDay {
  const byHistory = movements.at(-1)?.amountAfter ?? '';
  const shown: Parameters<typeof bookDay>[0]['shown'] =
    shownBalance === undefined ? {} : { USD: { balance: shownBalance, byHistory } };
  return bookDay({ account: 'main', day, shown, listed: [], facts: [], brought, movements });
}

/** The day after one that ended with 1399, as the API has it. */
function amountsOfNext(movements: Movement[], shownBalance?: string) {
  const first = booked(DAY, null, [entry('e1', DAY, '1000', '1399')]);
  const { books, reconciliation } = booked(NEXT, first.carried, movements, shownBalance);
  const [book] = books;
  if (book === undefined) throw new Error('the day has no books');
  const { currency, opening, closing, totals, historyHash, contentHash } = book;
  const isComplete = reconciliation.chains.every((chain) => chain.isComplete);
  const api = { currency, opening, closing, totals: [...totals], historyHash, contentHash, isComplete };
  return amountsOf(
    { ...api, entryCount: book.entries.length, late: [], reclassified: [] },
    reconciliation.breaks.map(({ type, expected, found }) => aBreak({ type, currency: 'USD', expected, found })),
  );
}

describe('the amounts of a currency', () => {
  test('lead from the opening balance to the one that the provider showed: the difference is computed', () => {
    expect(amountsOfNext([entry('e2', NEXT, '1399', '1300.5')], '1300.5')).toEqual({
      opening: '1399.00',
      // With the correction of what was open on the day before.
      movements: [
        { entryClass: 'unexplained', count: 0, amount: '399.00' },
        { entryClass: 'open', count: 1, amount: '-497.50' },
      ],
      ...{ computed: '1300.50', byHistory: '1300.50', shown: '1300.50', difference: '0.00' },
    });
  });

  test('have the difference to another balance that the provider showed', () => {
    expect(amountsOfNext([entry('e2', NEXT, '1399', '1300')], '1310')).toMatchObject({
      ...{ computed: '1300.00', byHistory: '1300.00', shown: '1310.00', difference: '10.00' },
    });
  });

  test('have what is not in the history as their difference, and not among the movements', () => {
    expect(amountsOfNext([entry('e2', NEXT, '1399', '1300'), entry('e3', NEXT, '1290', '1200')])).toMatchObject({
      movements: [{ entryClass: 'unexplained' }, { entryClass: 'open', count: 2 }],
      ...{ computed: '1210.00', byHistory: '1200.00', shown: null, difference: '-10.00' },
    });
  });

  test('of a balance that was found to differ, and no longer is, is not shown', () => {
    const book = { currency: 'USD', opening: '1', closing: '1', totals: [], isComplete: false };
    const rest = { entryCount: 0, late: [], reclassified: [], historyHash: '', contentHash: '' };
    const former = aBreak({ type: 'closing_differs', currency: 'USD', found: '2', state: 'no_longer_found' });
    expect(amountsOf({ ...book, ...rest }, [former])).toMatchObject({ shown: null, difference: '0.00' });
  });
});

describe('a difference', () => {
  test('is on one side alone, or is one of two amounts', () => {
    expect(BREAK_TYPES.map((type) => [type, sideOf({ type, found: '1' })])).toEqual([
      ['chain_broken', 'both'],
      ['closing_differs', 'both'],
      ['double_entry', 'theirs'],
      ['wrong_amount', 'both'],
      ['fee_differs', 'both'],
      ['conversion_leg', 'ours'],
      ['refund_missing_or_short', 'both'],
      ['refund_without_payment', 'theirs'],
      ['missing_entry', 'ours'],
      ['unexplained_entry', 'theirs'],
    ]);
    expect(sideOf({ type: 'refund_missing_or_short', found: null })).toBe('ours');
  });

  test('counts when it was closed, and not when it is no longer found', () => {
    const [closed, former] = [aBreak({ state: 'closed' }), aBreak({ state: 'no_longer_found' })];
    expect(countSides([closed, former, aBreak({ type: 'missing_entry' })])).toEqual({ theirs: 1, ours: 1, both: 0 });
  });
});
