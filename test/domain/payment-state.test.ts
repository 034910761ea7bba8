import { describe, expect, test } from 'vitest';
import {
  ENDED_PAYMENT_STATES,
  hasEnded,
  IN_FLIGHT_PAYMENT_STATES,
  isInFlight,
  mayMove,
  PAYMENT_MOVES,
  PAYMENT_STATES,
  type PaymentState,
} from '../../domain/payments/payment-state.ts';

/** Every state that can be reached from this one, by however many moves. */
function reachableFrom(start: PaymentState): Set<PaymentState> {
  const reached = new Set<PaymentState>();
  const open = [...PAYMENT_MOVES[start]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...PAYMENT_MOVES[next]);
  }
  return reached;
}

describe('the states of a payment', () => {
  test('are closed: every move starts and ends in one of them, and none leads to where it starts', () => {
    expect(Object.keys(PAYMENT_MOVES).sort()).toEqual([...PAYMENT_STATES].sort());
    for (const from of PAYMENT_STATES) {
      expect(PAYMENT_STATES).toEqual(expect.arrayContaining([...PAYMENT_MOVES[from]]));
      expect(PAYMENT_MOVES[from]).not.toContain(from);
    }
  });

  test('that are final lead nowhere; a paid one may come back, and only facts follow on unknown', () => {
    const final = PAYMENT_STATES.filter((state) => PAYMENT_MOVES[state].length === 0);
    expect(final).toEqual(['invalid', 'excluded', 'rejected', 'failed', 'cancelled', 'returned']);
    expect(PAYMENT_MOVES.paid).toEqual(['returned']);
    expect(ENDED_PAYMENT_STATES.filter((state) => !final.includes(state))).toEqual(['paid', 'unknown']);
    for (const unpaid of ['ready', 'quoted', 'held'] as const) expect(mayMove('unknown', unpaid)).toBe(false);
  });

  test('never lead from created back to where another creation could begin', () => {
    for (const state of [...IN_FLIGHT_PAYMENT_STATES, 'paid', 'unknown'] as const) {
      expect([...reachableFrom(state)].filter((reached) => ['ready', 'quoted', 'held'].includes(reached))).toEqual([]);
    }
  });

  test('all have an end in reach', () => {
    for (const state of PAYMENT_STATES) {
      expect(hasEnded(state) || [...reachableFrom(state)].some(hasEnded)).toBe(true);
    }
  });

  test('are ended, in flight or neither, and never both', () => {
    expect(PAYMENT_STATES.filter((state) => hasEnded(state) && isInFlight(state))).toEqual([]);
    expect(PAYMENT_STATES.filter((state) => !hasEnded(state) && !isInFlight(state))).toEqual([
      'duplicate_suspect',
      'held',
      'ready',
      'quoted',
    ]);
  });
});
