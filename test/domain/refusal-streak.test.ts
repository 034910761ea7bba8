import { describe, expect, test } from 'vitest';
import {
  pausesRun,
  type RefusalStreak,
  type RowRefusal,
  refusalsInWords,
  streakAfter,
} from '../../domain/payments/refusal-streak.ts';
import { REPEATED_REFUSALS } from '../../domain/repeated-refusals.ts';

const REFUSAL: RowRefusal = { step: 'create', httpStatus: 422, errorCode: 'not_enabled' };

function after(...refusals: readonly RowRefusal[]): RefusalStreak | null {
  return refusals.reduce<RefusalStreak | null>(streakAfter, null);
}

const times = (count: number, refusal = REFUSAL): RowRefusal[] => Array.from({ length: count }, () => refusal);

describe('rows of a run that are refused', () => {
  test('pause it when so many in a row have the same answer, and not before', () => {
    const before = after(...times(REPEATED_REFUSALS - 1));
    expect(before).toEqual({ ...REFUSAL, count: REPEATED_REFUSALS - 1 });
    expect(before !== null && pausesRun(before)).toBe(false);
    expect(pausesRun(streakAfter(before, REFUSAL))).toBe(true);
  });

  test.each<Partial<RowRefusal>>([{ step: 'quote' }, { httpStatus: 400 }, { errorCode: 'another' }])(
    'are counted from one again after an answer with %o',
    (other) => {
      const streak = after(...times(REPEATED_REFUSALS - 1), { ...REFUSAL, ...other });
      expect(streak?.count).toBe(1);
      expect(streak === null ? null : streakAfter(streak, REFUSAL).count).toBe(1);
    },
  );

  test('never pause it with an answer of their own each', () => {
    const refusals = Array.from({ length: 100 }, (_, n) => ({ ...REFUSAL, errorCode: `code_${n}` }));
    expect(after(...refusals)?.count).toBe(1);
  });

  test('are counted from one again after a count that was ended', () => {
    expect(streakAfter({ ...REFUSAL, count: 0 }, REFUSAL).count).toBe(1);
  });
});

test('a stop says what was refused', () => {
  expect(refusalsInWords({ ...REFUSAL, count: 10 })).toBe(
    'the provider refused 10 rows in a row with the same answer to the request to create the payment: HTTP 422, not_enabled',
  );
});
