import type { SeededRandom } from '../../sandbox/core/seeded-random.ts';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import type { FaultSpec } from '../../sandbox/faults/faults.ts';
import { canAffect, REQUEST_KINDS, STEPS, USUAL_STEPS } from './fault-choices.ts';
import type { Action, Disruption, Trigger, Scenario, Service } from './scenario.ts';

/** Random parts of scenarios. */

/** The parts that a class of scenarios sets; the others have their defaults. */
export type ScenarioParts = Partial<Omit<Scenario, 'seed' | 'about'>>;

/** Builds the parts of one scenario with this number of rows. */
export type ScenarioClass = (random: SeededRandom, rows: number) => ScenarioParts;

export const MINUTE_MS = 60_000;

export function oneOf<T>(random: SeededRandom, choices: readonly T[]): T {
  const choice = choices[random.between(0, choices.length - 1)];
  if (choice === undefined) throw new Error('there are no choices');
  return choice;
}

export const happens = (random: SeededRandom, probability: number): boolean => random.fraction() < probability;

/** A request that every usual row needs was sent or processed. */
export function requestTrigger(random: SeededRandom, rows: number): Trigger {
  return {
    on: 'request',
    operation: oneOf(random, USUAL_STEPS),
    // Not every row takes every step, so a higher number might never be reached.
    nth: random.between(1, Math.max(1, Math.floor(rows / 2))),
    phase: oneOf(random, ['sent', 'processed'] as const),
  };
}

function randomTrigger(random: SeededRandom, rows: number): Trigger {
  const kind = random.between(0, 4);
  if (kind === 0) return { on: 'approved' };
  if (kind > 1) return requestTrigger(random, rows);
  const states = oneOf(random, [['quoted'], ['created'], ['processing', 'paid'], ['paid']] as const);
  const atLeast = states[0] === 'quoted' || states[0] === 'created' ? 1 : random.between(1, Math.ceil(rows / 2));
  return { on: 'rows', states, atLeast };
}

export const atRandomTrigger = (random: SeededRandom, rows: number, action: Action): Disruption => ({
  trigger: randomTrigger(random, rows),
  action,
});

function randomFault(random: SeededRandom): FaultSpec {
  for (;;) {
    const operation = oneOf(random, STEPS);
    const kind = oneOf(random, REQUEST_KINDS);
    if (!canAffect(kind, operation)) continue;
    return {
      operation,
      kind,
      nth: random.between(1, 4),
      times: random.between(1, 3),
      ...delayOf(random, kind),
      ...statusOf(random, kind, operation),
    };
  }
}

export const randomFaults = (random: SeededRandom, max: number): FaultSpec[] =>
  Array.from({ length: random.between(1, max) }, () => randomFault(random));

/** For slow faults, a delay that is shorter or longer than the request timeout. */
export const delayOf = (random: SeededRandom, kind: FaultKind): { delayMs?: number } =>
  kind.startsWith('slow') ? { delayMs: oneOf(random, [500, 2_500]) } : {};

/** Statuses after which the outcome is unknown, and statuses that mean that the request had no effect. */
const OUTCOME_UNKNOWN_STATUSES = [408, 500, 502, 503, 504] as const;
const REFUSAL_STATUSES = [400, 404, 409, 410, 422] as const;

/** Refusals only before the operation: after it, a refusal would be false. Refused reads would only wait a minute. */
function statusOf(random: SeededRandom, kind: FaultKind, operation: string): { status?: number } {
  if (!kind.startsWith('error_')) return {};
  const mayRefuse = kind.endsWith('_before') && operation !== 'auth-authenticate' && !/find|get/.test(operation);
  return { status: oneOf(random, mayRefuse && happens(random, 0.3) ? REFUSAL_STATUSES : OUTCOME_UNKNOWN_STATUSES) };
}

export const lostAnswers = (random: SeededRandom, operation: string): FaultSpec[] =>
  Array.from({ length: random.between(1, 3) }, () => {
    const kind = oneOf(random, ['reset_after', 'error_after', 'garbled_after', 'slow_after'] as const);
    return { operation, kind, nth: random.between(1, 4), times: random.between(1, 2), ...delayOf(random, kind) };
  });

export function randomServices(random: SeededRandom): Service[] {
  const all: Service[] = ['worker', 'server', 'temporal', 'postgres'];
  const some = all.filter(() => happens(random, 0.5));
  return some.length > 0 ? some : [oneOf(random, all)];
}

export const randomOutage = (random: SeededRandom, kind: 'disconnect_postgres' | 'disconnect_temporal'): Action => ({
  kind,
  how: oneOf(random, ['refuse', 'hang', 'reset'] as const),
  forMs: random.between(300, 4_000),
});

export const randomClockOffset = (random: SeededRandom): number =>
  oneOf(random, [-30, -5, -1, 1, 5, 11, 30]) * MINUTE_MS;
