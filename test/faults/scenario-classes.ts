import {
  aClock,
  anywhere,
  aRequest,
  type Draw,
  faults,
  isSo,
  lose,
  lostAnswers,
  oneOf,
  someServices,
} from './draws.ts';
import { WEBHOOK_KINDS } from './fault-choices.ts';
import { MISLEADING_CLASSES } from './misleading-classes.ts';
import { STANDSTILL_CLASSES } from './standstill-classes.ts';

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
  ...MISLEADING_CLASSES,
  ...STANDSTILL_CLASSES,
};
