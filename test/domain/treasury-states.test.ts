import { describe, expect, test } from 'vitest';
import { CONVERSION_REASONS } from '../../domain/treasury/conversion-reason-codes.ts';
import {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionState,
  mayTransitionConversion,
  OPEN_CONVERSION_STATES,
  stageOfConversion,
} from '../../domain/treasury/conversion-state.ts';

const nextOf = (state: ConversionState) => CONVERSION_STATE_TABLE[state].next;
const statesWith = (withProvider: string) =>
  CONVERSION_STATES.filter((state) => CONVERSION_STATE_TABLE[state].withProvider === withProvider);

/** Every state that can be reached, by however many transitions, while the provider has a conversion or has none. */
function reachableFrom(start: ConversionState, hasConversion: boolean): Set<ConversionState> {
  const reached = new Set<ConversionState>();
  const open: ConversionState[] = [start];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of nextOf(from)) {
      if (reached.has(to) || !mayTransitionConversion(from, to, hasConversion)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}

describe('the states of an order to convert', () => {
  test('are closed: every transition starts and ends in one of them, and none leads to where it starts', () => {
    expect(Object.keys(CONVERSION_STATE_TABLE).sort()).toEqual([...CONVERSION_STATES].sort());
    for (const from of CONVERSION_STATES) {
      expect(CONVERSION_STATES).toEqual(expect.arrayContaining([...nextOf(from)]));
      expect(nextOf(from)).not.toContain(from);
    }
  });

  test('go the whole way, one after the other', () => {
    const way: ConversionState[] = ['proposed', 'in_approval', 'approved', 'quoted', 'committed'];
    const withProvider: ConversionState[] = ['committed', 'created', 'funding', 'funded', 'completed', 'settled'];
    for (const [index, from] of way.slice(0, -1).entries()) {
      expect(mayTransitionConversion(from, way[index + 1]!, false)).toBe(true);
    }
    for (const [index, from] of withProvider.slice(0, -1).entries()) {
      expect(mayTransitionConversion(from, withProvider[index + 1]!, true)).toBe(true);
    }
  });

  test('never lead from an order that the provider has to where another creation could begin, or it counts as given up', () => {
    for (const state of CONVERSION_STATES) {
      const reached = reachableFrom(state, true);
      expect([...reached].filter((to) => statesWith('never').includes(to))).toEqual([]);
    }
  });

  test('never lead to a conversion that the provider does not have', () => {
    for (const state of CONVERSION_STATES) {
      const reached = reachableFrom(state, false);
      expect([...reached].filter((to) => statesWith('always').includes(to))).toEqual([]);
    }
  });

  test('in which the provider may have a conversion are those since it was committed', () => {
    expect(statesWith('never')).toEqual([
      ...['proposed', 'in_approval', 'approved', 'quoted', 'rejected', 'expired', 'skipped', 'missed'],
    ]);
    expect(statesWith('perhaps')).toEqual(['committed', 'held', 'unknown']);
  });

  test('never lead from funded back to funding, save by people who resolve an unknown order', () => {
    for (const state of ['funded', 'completed', 'settled'] as const) {
      const withoutPeople = nextOf(state).filter((to) => to !== 'unknown');
      expect(withoutPeople.flatMap((to) => [to, ...nextOf(to)])).not.toContain('funding');
    }
    expect(nextOf('unknown')).not.toContain('funding');
  });

  test('commit only from a quote, and create only what is committed', () => {
    expect(CONVERSION_STATES.filter((from) => nextOf(from).includes('committed'))).toEqual(['quoted']);
    expect(CONVERSION_STATES.filter((from) => nextOf(from).includes('created'))).toEqual(['committed', 'unknown']);
    expect(CONVERSION_STATES.filter((from) => nextOf(from).includes('funding'))).toEqual(['created', 'held']);
  });

  test('all lead to an end', () => {
    const ends = CONVERSION_STATES.filter((state) => stageOfConversion(state) === 'ended');
    expect(ends).toEqual(['settled', 'rejected', 'expired', 'skipped', 'missed', 'lapsed']);
    for (const state of CONVERSION_STATES) {
      const reached = [...reachableFrom(state, true), ...reachableFrom(state, false), state];
      expect(reached.some((to) => ends.includes(to))).toBe(true);
    }
  });

  test('that wait for people say what they do, and reasons name existing states', () => {
    for (const state of ['in_approval', 'held', 'lapsed', 'unknown'] as const) {
      expect(CONVERSION_STATE_TABLE[state].action).not.toBeNull();
    }
    const explained = new Set<ConversionState>(Object.values(CONVERSION_REASONS).flatMap(({ states }) => states));
    expect(CONVERSION_STATES.filter((state) => explained.has(state))).toEqual([
      ...['in_approval', 'rejected', 'expired', 'skipped', 'missed', 'held', 'lapsed', 'unknown'],
    ]);
  });
});

test('the sets of states are those that the statements of the store select', () => {
  expect(OPEN_CONVERSION_STATES).toEqual([
    ...['proposed', 'in_approval', 'approved', 'quoted', 'committed', 'created', 'funding', 'funded', 'completed'],
    ...['held', 'unknown'],
  ]);
});
