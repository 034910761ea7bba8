import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import {
  ENDED_RUN_STATES,
  mayTransitionRun,
  OPEN_RUN_STATES,
  outcomeOfRun,
  PAYING_RUN_STATES,
  RUN_STATE_TABLE,
  RUN_STATES,
  runHasEnded,
  type RunState,
  UNDECIDED_RUN_STATES,
} from '../../domain/runs/run-state.ts';

const nextOf = (state: RunState) => RUN_STATE_TABLE[state].next;

describe('the states of a run', () => {
  test('have transitions only to each other, and none to themselves', () => {
    expect(Object.keys(RUN_STATE_TABLE).sort()).toEqual([...RUN_STATES].sort());
    for (const from of RUN_STATES) {
      expect(RUN_STATES).toEqual(expect.arrayContaining([...nextOf(from)]));
      expect(nextOf(from)).not.toContain(from);
    }
  });

  test('that are final have no transitions; an ended run may only resume to pay what failed', () => {
    expect(RUN_STATES.filter((state) => nextOf(state).length === 0)).toEqual(['cancelled', 'rejected', 'expired']);
    for (const ended of ENDED_RUN_STATES) {
      const onward = nextOf(ended).filter((next) => !runHasEnded(next));
      expect(onward.filter((next) => next !== 'running')).toEqual([]);
    }
    expect(nextOf('completed')).toEqual(['partially_completed']);
  });

  test('lead to paying only through a decision', () => {
    const undecided: readonly RunState[] = ['validating', 'checked'];
    for (const state of undecided) {
      expect(mayTransitionRun(state, 'running')).toBe(false);
      expect(mayTransitionRun(state, 'scheduled')).toBe(false);
    }
    for (const refused of ['rejected', 'expired', 'cancelled'] as const) {
      expect(RUN_STATES.filter((next) => mayTransitionRun(refused, next))).toEqual([]);
    }
  });

  test('are undecided, paying or ended; the first two are open', () => {
    expect(UNDECIDED_RUN_STATES).toEqual(['validating', 'proposed', 'checked', 'in_approval']);
    expect(PAYING_RUN_STATES).toEqual(['scheduled', 'awaiting_funds', 'running', 'paused']);
    expect(OPEN_RUN_STATES).toEqual([...UNDECIDED_RUN_STATES, ...PAYING_RUN_STATES]);
    expect(RUN_STATES).toEqual([...OPEN_RUN_STATES, ...ENDED_RUN_STATES]);
  });
});

describe('the outcome of a run', () => {
  const counts = fc.dictionary(fc.constantFrom(...PAYMENT_STATES), fc.nat(3), { noNullPrototype: true });

  test('is completed only if the provider confirmed every payment as paid, and failed only if it confirmed none', () => {
    fc.assert(
      fc.property(counts, (rows) => {
        const paid = rows['paid'] ?? 0;
        const all = Object.values(rows).reduce((sum, count) => sum + count, 0);
        const confirmed = paid + (rows['returned'] ?? 0);
        const expected = confirmed === 0 ? 'failed' : paid === all ? 'completed' : 'partially_completed';
        expect(outcomeOfRun(rows)).toBe(expected);
      }),
      { seed: 7 },
    );
  });

  test('is never failed by payments that came back: the run was completed before', () => {
    expect(outcomeOfRun({ returned: 1 })).toBe('partially_completed');
    expect(mayTransitionRun('completed', outcomeOfRun({ returned: 1 }))).toBe(true);
    expect(mayTransitionRun('completed', outcomeOfRun({ returned: 1, paid: 1 }))).toBe(true);
  });

  test.each(['unknown', 'held', 'duplicate_suspect', 'invalid', 'processing'] as const)(
    'is not completed by a payment that is %s',
    (state) => {
      expect(outcomeOfRun({ paid: 9, [state]: 1 })).toBe('partially_completed');
      expect(outcomeOfRun({ [state]: 1 })).toBe('failed');
    },
  );
});
