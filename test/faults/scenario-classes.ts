import {
  randomClockOffset,
  atRandomTrigger,
  requestTrigger,
  type ScenarioClass,
  randomFaults,
  happens,
  randomOutage,
  lostAnswers,
  oneOf,
  randomServices,
} from './random-choices.ts';
import { WEBHOOK_KINDS } from './fault-choices.ts';
import { AMBIGUOUS_ANSWER_CLASSES } from './ambiguous-answer-classes.ts';
import { BLOCKING_CLASSES } from './blocking-classes.ts';

/** All classes of scenarios, by title. */
export const SCENARIO_CLASSES: Readonly<Record<string, ScenarioClass>> = {
  'lost, damaged or late answers': (random) => ({ faults: randomFaults(random, 8) }),
  'a killed worker': (random, rows) => ({
    disruptions: [{ trigger: requestTrigger(random, rows), action: { kind: 'kill', services: ['worker'] } }],
    faults: happens(random, 0.3) ? randomFaults(random, 2) : [],
  }),
  'killed services': (random, rows) => ({
    disruptions: [atRandomTrigger(random, rows, { kind: 'kill', services: randomServices(random) })],
  }),
  'reset connections to the provider': (random, rows) => ({
    disruptions: [
      {
        trigger: requestTrigger(random, rows),
        action: { kind: 'cut_provider', forMs: oneOf(random, [0, 0, 500, 3_000]) },
      },
    ],
  }),
  'a frozen worker while another one continues': (random, rows) => ({
    workers: 2,
    disruptions: [
      {
        trigger: requestTrigger(random, rows),
        action: { kind: 'freeze_worker', forMs: random.between(11_500, 18_000) },
      },
    ],
    faults: happens(random, 0.3) ? randomFaults(random, 2) : [],
  }),
  'clocks that differ or jump': (random, rows) => ({
    workers: 2,
    clocksMs: [randomClockOffset(random), happens(random, 0.5) ? randomClockOffset(random) : 0],
    disruptions: happens(random, 0.6)
      ? [atRandomTrigger(random, rows, { kind: 'jump_clock', byMs: randomClockOffset(random) })]
      : [],
    sandbox: happens(random, 0.4) ? { quoteTtlMs: oneOf(random, [1_500, 20_000]) } : {},
  }),
  'Postgres unreachable': (random, rows) => ({
    disruptions: [atRandomTrigger(random, rows, randomOutage(random, 'disconnect_postgres'))],
  }),
  'Temporal unreachable': (random, rows) => ({
    disruptions: [atRandomTrigger(random, rows, randomOutage(random, 'disconnect_temporal'))],
  }),
  'a full disk': (random, rows) => ({
    disruptions: [atRandomTrigger(random, rows, { kind: 'fill_disk', forMs: random.between(1_000, 4_000) })],
  }),
  'lists that are late or incomplete': (random) => ({
    sandbox: { findLagMs: oneOf(random, [400, 1_000, 2_500]), ...(happens(random, 0.5) ? { maxFindResults: 1 } : {}) },
    faults: lostAnswers(random, 'simple-payment-create'),
  }),
  'lost answers to fundings, and stale reads': (random) => ({
    faults: lostAnswers(random, 'simple-payment-fund'),
    disruptions: [{ trigger: { on: 'approved' }, action: { kind: 'stale_reads', times: random.between(1, 6) } }],
  }),
  'failing and forged webhooks': (random, rows) => ({
    faults: WEBHOOK_KINDS.map((kind) => ({ operation: 'webhook', kind, probability: 0.3 })),
    disruptions: [
      {
        trigger: {
          on: 'request',
          operation: 'simple-payment-create',
          nth: random.between(1, rows / 2),
          phase: 'processed',
        },
        action: { kind: 'forge_webhooks' },
      },
    ],
  }),
  'tokens, quotes and upload addresses that expire early': (random) => ({
    sandbox: {
      tokenTtlMs: oneOf(random, [2_000, 5_000]),
      quoteTtlMs: oneOf(random, [600, 1_500, 600_000]),
      uploadTtlMs: oneOf(random, [300, 300_000]),
    },
    faults: randomFaults(random, 2),
  }),
  'too little money until a deposit': (random) => ({
    webhooks: true,
    sandbox: { balances: { USD: `${random.between(0, 3)}000.00` } },
    faults: happens(random, 0.5) ? lostAnswers(random, 'simple-payment-fund') : [],
    disruptions: [
      {
        trigger: { on: 'rows', states: ['awaiting_funds'], atLeast: 1 },
        action: { kind: 'deposit', currency: 'USD', amount: '9000000.00' },
      },
    ],
  }),
  'everything at once': (random, rows) => ({
    workers: 2,
    clocksMs: [randomClockOffset(random), 0],
    sandbox: { findLagMs: oneOf(random, [0, 600]), tokenTtlMs: oneOf(random, [4_000, 600_000]) },
    faults: randomFaults(random, 4),
    disruptions: [
      atRandomTrigger(random, rows, { kind: 'kill', services: randomServices(random) }),
      atRandomTrigger(
        random,
        rows,
        oneOf(random, [randomOutage(random, 'disconnect_postgres'), randomOutage(random, 'disconnect_temporal')]),
      ),
      { trigger: requestTrigger(random, rows), action: { kind: 'cut_provider', forMs: 0 } },
    ],
  }),
  ...AMBIGUOUS_ANSWER_CLASSES,
  ...BLOCKING_CLASSES,
};
