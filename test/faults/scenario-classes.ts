import type { Chance } from '../../sandbox/chance.ts';
import type { FaultKind } from '../../sandbox/fault-kinds.ts';
import type { FaultOrder } from '../../sandbox/faults.ts';
import { canStrike, REQUEST_KINDS, STEPS, USUAL_STEPS, WEBHOOK_KINDS } from './fault-choices.ts';
import type { Action, Disturbance, Moment, Scenario, Service } from './scenario.ts';

/** What a class of scenarios sets; the rest is as in an undisturbed run. */
export type Trouble = Partial<Omit<Scenario, 'seed' | 'about'>>;

type Draw = (chance: Chance, rows: number) => Trouble;

const MINUTE_MS = 60_000;

export function oneOf<T>(chance: Chance, choices: readonly T[]): T {
  const choice = choices[chance.between(0, choices.length - 1)];
  if (choice === undefined) throw new Error('there is nothing to choose from');
  return choice;
}

const isSo = (chance: Chance, probability: number): boolean => chance.fraction() < probability;

/** The moment that a request of the usual steps leaves or was carried out. */
function aRequest(chance: Chance, rows: number): Moment {
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

const anywhere = (chance: Chance, rows: number, does: Action): Disturbance => ({ at: aMoment(chance, rows), does });

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

const faults = (chance: Chance, most: number): FaultOrder[] =>
  Array.from({ length: chance.between(1, most) }, () => aFault(chance));

/** The delays of a fault that takes one: shorter and longer than the time a request has. */
const delayOf = (chance: Chance, kind: FaultKind): { delayMs?: number } =>
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

const lostAnswers = (chance: Chance, operation: string): FaultOrder[] =>
  Array.from({ length: chance.between(1, 3) }, () => {
    const kind = oneOf(chance, ['reset_after', 'error_after', 'garbled_after', 'slow_after'] as const);
    return { operation, kind, nth: chance.between(1, 4), times: chance.between(1, 2), ...delayOf(chance, kind) };
  });

function someServices(chance: Chance): Service[] {
  const all: Service[] = ['worker', 'server', 'temporal', 'postgres'];
  const some = all.filter(() => isSo(chance, 0.5));
  return some.length > 0 ? some : [oneOf(chance, all)];
}

const lose = (chance: Chance, kind: 'lose_postgres' | 'lose_temporal'): Action => ({
  kind,
  how: oneOf(chance, ['refuse', 'hang', 'reset'] as const),
  forMs: chance.between(300, 4_000),
});

const aClock = (chance: Chance): number => oneOf(chance, [-30, -5, -1, 1, 5, 11, 30]) * MINUTE_MS;

/** Everything that is tried, by name. Each entry draws one scenario's trouble from chance alone. */
export const SCENARIO_CLASSES: Readonly<Record<string, Draw>> = {
  'answers that are lost, spoiled or late': (chance) => ({ faults: faults(chance, 8) }),
  'a worker that is killed': (chance, rows) => ({
    disturbances: [{ at: aRequest(chance, rows), does: { kind: 'kill', services: ['worker'] } }],
    faults: isSo(chance, 0.3) ? faults(chance, 2) : [],
  }),
  'services that are killed': (chance, rows) => ({
    disturbances: [anywhere(chance, rows, { kind: 'kill', services: someServices(chance) })],
  }),
  'a provider that is cut off': (chance, rows) => ({
    disturbances: [
      { at: aRequest(chance, rows), does: { kind: 'cut_provider', forMs: oneOf(chance, [0, 0, 500, 3_000]) } },
    ],
  }),
  'a worker that freezes while another goes on': (chance, rows) => ({
    workers: 2,
    disturbances: [
      { at: aRequest(chance, rows), does: { kind: 'freeze_worker', forMs: chance.between(11_500, 18_000) } },
    ],
    faults: isSo(chance, 0.3) ? faults(chance, 2) : [],
  }),
  'clocks that differ or jump': (chance, rows) => ({
    workers: 2,
    clocksMs: [aClock(chance), isSo(chance, 0.5) ? aClock(chance) : 0],
    disturbances: isSo(chance, 0.6) ? [anywhere(chance, rows, { kind: 'jump_clock', byMs: aClock(chance) })] : [],
    sandbox: isSo(chance, 0.4) ? { quoteTtlMs: oneOf(chance, [1_500, 20_000]) } : {},
  }),
  'Postgres out of reach': (chance, rows) => ({
    disturbances: [anywhere(chance, rows, lose(chance, 'lose_postgres'))],
  }),
  'Temporal out of reach': (chance, rows) => ({
    disturbances: [anywhere(chance, rows, lose(chance, 'lose_temporal'))],
  }),
  'a disk that is full': (chance, rows) => ({
    disturbances: [anywhere(chance, rows, { kind: 'fill_disk', forMs: chance.between(1_000, 4_000) })],
  }),
  'a find that lags or is capped': (chance) => ({
    sandbox: { findLagMs: oneOf(chance, [400, 1_000, 2_500]), ...(isSo(chance, 0.5) ? { findMost: 1 } : {}) },
    faults: lostAnswers(chance, 'simple-payment-create'),
  }),
  'lost fundings and reads that are stale': (chance) => ({
    faults: lostAnswers(chance, 'simple-payment-fund'),
    disturbances: [{ at: { on: 'approved' }, does: { kind: 'stale_reads', times: chance.between(1, 6) } }],
  }),
  'webhooks that fail or lie': (chance, rows) => ({
    faults: WEBHOOK_KINDS.map((kind) => ({ operation: 'webhook', kind, probability: 0.3 })),
    disturbances: [
      {
        at: {
          on: 'request',
          operation: 'simple-payment-create',
          nth: chance.between(1, rows / 2),
          phase: 'carried_out',
        },
        does: { kind: 'forge_webhooks' },
      },
    ],
  }),
  'tokens, quotes and upload addresses that die early': (chance) => ({
    sandbox: {
      tokenTtlMs: oneOf(chance, [2_000, 5_000]),
      quoteTtlMs: oneOf(chance, [600, 1_500, 600_000]),
      uploadTtlMs: oneOf(chance, [300, 300_000]),
    },
    faults: faults(chance, 2),
  }),
  'too little money, and then enough': (chance) => ({
    webhooks: true,
    sandbox: { balances: { USD: `${chance.between(0, 3)}000.00` } },
    faults: isSo(chance, 0.5) ? lostAnswers(chance, 'simple-payment-fund') : [],
    disturbances: [
      {
        at: { on: 'rows', states: ['awaiting_funds'], atLeast: 1 },
        does: { kind: 'money_comes', currency: 'USD', amount: '9000000.00' },
      },
    ],
  }),
  'everything at once': (chance, rows) => ({
    workers: 2,
    clocksMs: [aClock(chance), 0],
    sandbox: { findLagMs: oneOf(chance, [0, 600]), tokenTtlMs: oneOf(chance, [4_000, 600_000]) },
    faults: faults(chance, 4),
    disturbances: [
      anywhere(chance, rows, { kind: 'kill', services: someServices(chance) }),
      anywhere(chance, rows, oneOf(chance, [lose(chance, 'lose_postgres'), lose(chance, 'lose_temporal')])),
      { at: aRequest(chance, rows), does: { kind: 'cut_provider', forMs: 0 } },
    ],
  }),
};
