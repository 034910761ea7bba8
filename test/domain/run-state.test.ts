import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import {
  ENDED_RUN_STATES,
  mayMoveRun,
  outcomeOfRun,
  RUN_MOVES,
  RUN_STATES,
  type RunState,
  runHasEnded,
} from '../../domain/runs/run-state.ts';

describe('the states of a run', () => {
  test('are closed: every move starts and ends in one of them, and none leads to where it starts', () => {
    expect(Object.keys(RUN_MOVES).sort()).toEqual([...RUN_STATES].sort());
    for (const from of RUN_STATES) {
      expect(RUN_STATES).toEqual(expect.arrayContaining([...RUN_MOVES[from]]));
      expect(RUN_MOVES[from]).not.toContain(from);
    }
  });

  test('that are final lead nowhere; an ended run may only be taken up again to pay what failed', () => {
    expect(RUN_STATES.filter((state) => RUN_MOVES[state].length === 0)).toEqual(['cancelled', 'rejected', 'expired']);
    for (const ended of ENDED_RUN_STATES) {
      const onward = RUN_MOVES[ended].filter((next) => !runHasEnded(next));
      expect(onward.filter((next) => next !== 'running')).toEqual([]);
    }
    expect(RUN_MOVES.completed).toEqual(['partially_completed']);
  });

  test('lead to paying by a decision alone', () => {
    const undecided: readonly RunState[] = ['draft', 'validating'];
    for (const state of undecided) {
      expect(mayMoveRun(state, 'running')).toBe(false);
      expect(mayMoveRun(state, 'scheduled')).toBe(false);
    }
    for (const refused of ['rejected', 'expired', 'cancelled'] as const) {
      expect(RUN_STATES.filter((next) => mayMoveRun(refused, next))).toEqual([]);
    }
  });
});

describe('the outcome of a run', () => {
  const counts = fc.dictionary(fc.constantFrom(...PAYMENT_STATES), fc.nat(3), { noNullPrototype: true });

  test('is completed only if the provider confirmed every row as paid, and failed only if it confirmed none', () => {
    fc.assert(
      fc.property(counts, (rows) => {
        const paid = rows['paid'] ?? 0;
        const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
        const expected = paid === 0 ? 'failed' : paid === all ? 'completed' : 'partially_completed';
        expect(outcomeOfRun(rows)).toBe(expected);
      }),
      { seed: 7 },
    );
  });

  test.each(['returned', 'unknown', 'held', 'duplicate_suspect', 'invalid', 'processing'] as const)(
    'is not completed by a row that is %s',
    (state) => {
      expect(outcomeOfRun({ paid: 9, [state]: 1 })).toBe('partially_completed');
      expect(outcomeOfRun({ [state]: 1 })).toBe('failed');
    },
  );
});
