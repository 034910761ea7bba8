import type { Chance } from '../../sandbox/core/seeded-random.ts';
import type { FaultKind } from '../../sandbox/faults/fault-kinds.ts';
import type { FaultOrder } from '../../sandbox/faults/faults.ts';
import { canStrike, REQUEST_KINDS, STEPS, USUAL_STEPS } from './fault-choices.ts';
import type { Action, Disturbance, Moment, Scenario, Service } from './scenario.ts';

/** What classes of scenarios are drawn from. */

/** What a class of scenarios sets; the rest is as in an undisturbed run. */
export type Trouble = Partial<Omit<Scenario, 'seed' | 'about'>>;

export type Draw = (chance: Chance, rows: number) => Trouble;

export const MINUTE_MS = 60_000;

export function oneOf<T>(chance: Chance, choices: readonly T[]): T {
  const choice = choices[chance.between(0, choices.length - 1)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

export const isSo = (chance: Chance, probability: number): boolean => chance.fraction() < probability;

/** The moment that a request of the usual steps leaves or was carried out. */
export function aRequest(chance: Chance, rows: number): Moment {
  return {
    on: 'request',
    operation: oneOf(chance, USUAL_STEPS),
    // Not every row takes every step: the last moments might never come.
    nth: chance.between(1, Math.max(1, Math.floor(rows / 2))),
    phase: oneOf(chance, ['left', 'carried_out'] as const),
  };
}

function aMoment(chance: Chance, rows: number): Moment {
  const kind = chance.between(0, 4);
  if (kind === 0) return { on: 'approved' };
  if (kind > 1) return aRequest(chance, rows);
  const states = oneOf(chance, [['quoted'], ['created'], ['processing', 'paid'], ['paid']] as const);
  const atLeast = states[0] === 'quoted' || states[0] === 'created' ? 1 : chance.between(1, Math.ceil(rows / 2));
  return { on: 'rows', states, atLeast };
}

export const anywhere = (chance: Chance, rows: number, does: Action): Disturbance => ({
  at: aMoment(chance, rows),
  does,
});

function aFault(chance: Chance): FaultOrder {
  for (;;) {
    const operation = oneOf(chance, STEPS);
    const kind = oneOf(chance, REQUEST_KINDS);
    if (!canStrike(kind, operation)) continue;
    return {
      operation,
      kind,
      nth: chance.between(1, 4),
      times: chance.between(1, 3),
      ...delayOf(chance, kind),
      ...statusOf(chance, kind, operation),
    };
  }
}

export const faults = (chance: Chance, most: number): FaultOrder[] =>
  Array.from({ length: chance.between(1, most) }, () => aFault(chance));

/** The delays of a fault that takes one: shorter and longer than the time a request has. */
export const delayOf = (chance: Chance, kind: FaultKind): { delayMs?: number } =>
  kind.startsWith('slow') ? { delayMs: oneOf(chance, [500, 2_500]) } : {};

/** Statuses that say nothing of whether it was done, and such as say that it was not. */
const NO_TELLING = [408, 500, 502, 503, 504] as const;
const REFUSALS = [400, 404, 409, 410, 422] as const;

/** A provider that refuses what it has done would lie, and one that refuses a mere question is asked a minute later. */
function statusOf(chance: Chance, kind: FaultKind, operation: string): { status?: number } {
  if (!kind.startsWith('error_')) return {};
  const mayRefuse = kind.endsWith('_before') && operation !== 'auth-authenticate' && !/find|get/.test(operation);
  return { status: oneOf(chance, mayRefuse && isSo(chance, 0.3) ? REFUSALS : NO_TELLING) };
}

export const lostAnswers = (chance: Chance, operation: string): FaultOrder[] =>
  Array.from({ length: chance.between(1, 3) }, () => {
    const kind = oneOf(chance, ['reset_after', 'error_after', 'garbled_after', 'slow_after'] as const);
    return { operation, kind, nth: chance.between(1, 4), times: chance.between(1, 2), ...delayOf(chance, kind) };
  });

export function someServices(chance: Chance): Service[] {
  const all: Service[] = ['worker', 'server', 'temporal', 'postgres'];
  const some = all.filter(() => isSo(chance, 0.5));
  return some.length > 0 ? some : [oneOf(chance, all)];
}

export const lose = (chance: Chance, kind: 'lose_postgres' | 'lose_temporal'): Action => ({
  kind,
  how: oneOf(chance, ['refuse', 'hang', 'reset'] as const),
  forMs: chance.between(300, 4_000),
});

export const aClock = (chance: Chance): number => oneOf(chance, [-30, -5, -1, 1, 5, 11, 30]) * MINUTE_MS;
