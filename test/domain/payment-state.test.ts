import { describe, expect, test } from 'vitest';
import {
  ENDED_PAYMENT_STATES,
  hasEnded,
  IN_FLIGHT_PAYMENT_STATES,
  isUnfunded,
  isWithProvider,
  mayTransitionPayment,
  OBSERVABLE_PAYMENT_STATES,
  OPEN_PAYMENT_STATES,
  PAYMENT_STATE_TABLE,
  PAYMENT_STATES,
  type PaymentState,
  PENDING_PAYMENT_STATES,
  SENDING_PAYMENT_STATES,
  UNCREATED_PAYMENT_STATES,
  UNFUNDED_PAYMENT_STATES,
} from '../../domain/payments/payment-state.ts';

const nextOf = (state: PaymentState) => PAYMENT_STATE_TABLE[state].next;

/** Every state that can be reached from this one, by however many transitions. */
function reachableFrom(start: PaymentState): Set<PaymentState> {
  const reached = new Set<PaymentState>();
  const open = [...nextOf(start)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...nextOf(next));
  }
  return reached;
}

describe('the states of a payment', () => {
  test('are closed: every transition starts and ends in one of them, and none leads to where it starts', () => {
    expect(Object.keys(PAYMENT_STATE_TABLE).sort()).toEqual([...PAYMENT_STATES].sort());
    for (const from of PAYMENT_STATES) {
      expect(PAYMENT_STATES).toEqual(expect.arrayContaining([...nextOf(from)]));
      expect(nextOf(from)).not.toContain(from);
    }
  });

  test('have no transition from a final state; a paid payment may be returned, and an unknown one is never unsent', () => {
    const final = PAYMENT_STATES.filter((state) => nextOf(state).length === 0);
    expect(final).toEqual(['invalid', 'excluded', 'rejected', 'failed', 'cancelled', 'returned']);
    expect(nextOf('paid')).toEqual(['returned']);
    expect(ENDED_PAYMENT_STATES.filter((state) => !final.includes(state))).toEqual(['paid', 'unknown']);
    for (const unpaid of ['ready', 'quoted', 'held'] as const) {
      expect(mayTransitionPayment('unknown', unpaid)).toBe(false);
    }
  });

  test('never lead from created back to where another creation could begin', () => {
    for (const state of [...OBSERVABLE_PAYMENT_STATES, 'paid'] as const) {
      expect([...reachableFrom(state)].filter((reached) => ['ready', 'quoted', 'held'].includes(reached))).toEqual([]);
    }
  });

  test('all lead to an end', () => {
    for (const state of PAYMENT_STATES) {
      expect(hasEnded(state) || [...reachableFrom(state)].some(hasEnded)).toBe(true);
    }
  });

  test('are ended, with the provider or neither, and never both', () => {
    expect(PAYMENT_STATES.filter((state) => hasEnded(state) && isWithProvider(state))).toEqual([]);
    expect(PAYMENT_STATES.filter((state) => !hasEnded(state) && !isWithProvider(state))).toEqual([
      'duplicate_suspect',
      'account_unconfirmed',
      'held',
      'ready',
      'quoted',
    ]);
  });
});

test('the sets of states are those that the statements of the store select', () => {
  expect(UNCREATED_PAYMENT_STATES).toEqual(['ready', 'quoted']);
  expect(UNFUNDED_PAYMENT_STATES).toEqual(['created', 'awaiting_funds']);
  expect(PAYMENT_STATES.filter(isUnfunded)).toEqual(UNFUNDED_PAYMENT_STATES);
  expect(PENDING_PAYMENT_STATES).toEqual(['ready', 'quoted', 'created', 'awaiting_funds']);
  expect(SENDING_PAYMENT_STATES).toEqual(['ready', 'quoted', 'created']);
  expect(IN_FLIGHT_PAYMENT_STATES).toEqual(['funded', 'processing']);
  expect(OPEN_PAYMENT_STATES).toEqual(['ready', 'quoted', 'created', 'awaiting_funds', 'funded', 'processing']);
  expect(OBSERVABLE_PAYMENT_STATES).toEqual(['created', 'awaiting_funds', 'funded', 'processing', 'unknown']);
});
