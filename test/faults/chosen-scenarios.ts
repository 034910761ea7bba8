import type { FaultOrder } from '../../sandbox/faults/faults.ts';
import { canStrike, REQUEST_KINDS, WEBHOOK_KINDS } from './fault-choices.ts';
import type { Disturbance, Moment, RowKind, Scenario } from './scenario.ts';

/** Scenarios that are played with every test run: each class at least once, and each that once found a fault. */

const ROWS: readonly RowKind[] = [
  'sell',
  'buy',
  'shared_beneficiary',
  'sell',
  'shared_beneficiary',
  'known_beneficiary',
  'file',
  'rejected_later',
  'failed_later',
  'sell',
];

const MINUTE_MS = 60_000;

function scenario(about: string, parts: Partial<Scenario> = {}): Scenario {
  const usual = { seed: 1, rows: ROWS, workers: 1, clocksMs: [0, 0], webhooks: true } as const;
  return { ...usual, about, sandbox: {}, faults: [], disturbances: [], ...parts };
}

const request = (operation: string, nth: number, phase: 'left' | 'carried_out'): Moment => ({
  on: 'request',
  operation,
  nth,
  phase,
});

const when = (at: Moment, does: Disturbance['does']): Disturbance => ({ at, does });

/** Every kind of fault that goes with one of the operations, spread over them: each strikes the next request. */
function everyKindOn(...operations: string[]): FaultOrder[] {
  return REQUEST_KINDS.flatMap((kind, index) => {
    const fitting = operations.filter((operation) => canStrike(kind, operation));
    const operation = fitting[index % fitting.length];
    const delays = kind.startsWith('slow') ? { delayMs: 2_500 } : {};
    return operation === undefined ? [] : [{ operation, kind, ...delays }];
  });
}

const lostAnswers = (operation: string): FaultOrder[] => [
  { operation, kind: 'reset_after', nth: 1 },
  { operation, kind: 'error_after', nth: 2 },
  { operation, kind: 'garbled_after', nth: 3 },
];

const ALL = ['worker', 'server', 'temporal', 'postgres'] as const;

/** Played by every test run. */
export const TESTED_SCENARIOS: readonly Scenario[] = [
  scenario('every kind of fault on creations and fundings', {
    faults: everyKindOn('simple-payment-create', 'simple-payment-fund'),
  }),
  scenario('a worker that is killed when a funding was carried out', {
    webhooks: false,
    disturbances: [when(request('simple-payment-fund', 2, 'carried_out'), { kind: 'kill', services: ['worker'] })],
  }),
  scenario('a worker and Temporal that are killed while the last payments wait to be confirmed', {
    disturbances: [
      when(
        { on: 'rows', states: ['processing', 'paid', 'rejected', 'failed'], atLeast: 9 },
        {
          kind: 'kill',
          services: ['worker', 'temporal'],
        },
      ),
    ],
  }),
  scenario('Temporal that is killed when a funding was carried out', {
    disturbances: [when(request('simple-payment-fund', 3, 'carried_out'), { kind: 'kill', services: ['temporal'] })],
  }),
  scenario('Postgres that is killed when a creation was carried out', {
    disturbances: [when(request('simple-payment-create', 2, 'carried_out'), { kind: 'kill', services: ['postgres'] })],
  }),
  scenario('connections to the provider that are all cut at a creation, and for a while at a funding', {
    disturbances: [
      when(request('simple-payment-create', 2, 'carried_out'), { kind: 'cut_provider', forMs: 0 }),
      when(request('simple-payment-fund', 3, 'carried_out'), { kind: 'cut_provider', forMs: 1_500 }),
    ],
  }),
  scenario('a worker that freezes with a creation under way, and answers after another has taken over', {
    workers: 2,
    disturbances: [when(request('simple-payment-create', 2, 'left'), { kind: 'freeze_worker', forMs: 16_000 })],
  }),
  scenario('workers whose clocks are half an hour apart, with quotes of seconds', {
    workers: 2,
    clocksMs: [-15 * MINUTE_MS, 15 * MINUTE_MS],
    sandbox: { quoteTtlMs: 3_000 },
  }),
  scenario('Postgres out of reach at a creation, silent at a funding, its connections broken at a quote', {
    disturbances: [
      when(request('simple-payment-quote', 2, 'carried_out'), { kind: 'lose_postgres', how: 'reset', forMs: 0 }),
      when(request('simple-payment-create', 3, 'carried_out'), { kind: 'lose_postgres', how: 'refuse', forMs: 1_500 }),
      when(request('simple-payment-fund', 5, 'left'), { kind: 'lose_postgres', how: 'hang', forMs: 2_000 }),
    ],
  }),
  scenario('Temporal out of reach at a creation and silent at a funding', {
    disturbances: [
      when(request('simple-payment-create', 2, 'carried_out'), { kind: 'lose_temporal', how: 'refuse', forMs: 1_500 }),
      when(request('simple-payment-fund', 5, 'carried_out'), { kind: 'lose_temporal', how: 'hang', forMs: 2_000 }),
    ],
  }),
  scenario('a disk that is full while payments are created', {
    disturbances: [when(request('simple-payment-create', 2, 'left'), { kind: 'fill_disk', forMs: 2_500 })],
  }),
  scenario('lost creations, and a find that shows them late and one at a time', {
    sandbox: { findLagMs: 1_500, findMost: 1 },
    faults: lostAnswers('simple-payment-create'),
  }),
  scenario('lost fundings, and reads that do not show them for long', {
    faults: lostAnswers('simple-payment-fund'),
    disturbances: [when({ on: 'approved' }, { kind: 'stale_reads', times: 6 })],
  }),
  scenario('webhooks that are lost, doubled, late or forged', {
    faults: WEBHOOK_KINDS.map((kind, index) => ({ operation: 'webhook', kind, nth: index + 1, times: 3 })),
    disturbances: [when(request('simple-payment-create', 3, 'carried_out'), { kind: 'forge_webhooks' })],
  }),
  scenario('everything at once', {
    workers: 2,
    clocksMs: [5 * MINUTE_MS, -MINUTE_MS],
    sandbox: { findLagMs: 600, tokenTtlMs: 4_000 },
    faults: [...lostAnswers('simple-payment-create'), ...lostAnswers('simple-payment-fund')],
    disturbances: [
      when(request('simple-payment-create', 3, 'carried_out'), { kind: 'kill', services: ['worker', 'temporal'] }),
      when(request('simple-payment-create', 5, 'left'), { kind: 'lose_postgres', how: 'refuse', forMs: 1_000 }),
      when(request('simple-payment-fund', 3, 'carried_out'), { kind: 'cut_provider', forMs: 0 }),
    ],
  }),
];

/** As telling as those, and longer: played by `npm run faults -- --chosen` beside them. */
const LONGER_SCENARIOS: readonly Scenario[] = [
  scenario('every kind of fault on quotes, beneficiaries and the token', {
    faults: [
      ...everyKindOn('simple-payment-quote', 'beneficiary-create', 'auth-authenticate'),
      // Else one token would do for the whole run.
      { operation: 'simple-payment-quote', kind: 'token_dies', times: 4 },
      { operation: 'simple-payment-fund', kind: 'token_dies', times: 3 },
    ],
  }),
  scenario('every kind of fault on uploads, and finds that cannot be read', {
    rows: ['file', 'file', 'file', 'file', 'file', 'file'],
    faults: [
      ...everyKindOn('simple-payment-get-upload-url', 'simple-payment-upload-file'),
      { operation: 'simple-payment-create', kind: 'reset_after', times: 4 },
      ...(['find_capped', 'find_lags', 'cut_after', 'not_json_after'] as const).map((kind) => ({
        operation: 'simple-payment-find',
        kind,
      })),
    ],
  }),
  scenario('a worker that is killed when a creation has left', {
    disturbances: [when(request('simple-payment-create', 3, 'left'), { kind: 'kill', services: ['worker'] })],
  }),
  scenario('a worker that is killed when a beneficiary was created, and again at a quote', {
    disturbances: [
      when(request('beneficiary-create', 2, 'carried_out'), { kind: 'kill', services: ['worker'] }),
      when(request('simple-payment-quote', 6, 'carried_out'), { kind: 'kill', services: ['worker'] }),
    ],
  }),
  scenario('everything that is killed at once in the middle of the fundings', {
    disturbances: [when(request('simple-payment-fund', 4, 'carried_out'), { kind: 'kill', services: ALL })],
  }),
  scenario('a worker that freezes with a funding under way, and answers after another has taken over', {
    workers: 2,
    disturbances: [when(request('simple-payment-fund', 2, 'carried_out'), { kind: 'freeze_worker', forMs: 16_000 })],
  }),
  scenario('a worker that freezes with quotes under way', {
    workers: 2,
    sandbox: { quoteTtlMs: 4_000 },
    disturbances: [when(request('simple-payment-quote', 2, 'left'), { kind: 'freeze_worker', forMs: 14_000 })],
  }),
  scenario('a worker that freezes while it renews the token for all', {
    workers: 2,
    faults: [{ operation: 'beneficiary-create', kind: 'token_dies' }],
    disturbances: [when(request('auth-authenticate', 1, 'left'), { kind: 'freeze_worker', forMs: 12_000 })],
  }),
  scenario('a clock that jumps ahead between quote and creation', {
    disturbances: [
      when(request('simple-payment-quote', 2, 'carried_out'), { kind: 'jump_clock', byMs: 11 * MINUTE_MS }),
      when(request('simple-payment-fund', 2, 'carried_out'), { kind: 'jump_clock', byMs: -5 * MINUTE_MS }),
    ],
  }),
  scenario('lost fundings, and reads that never show them, so that nobody can know', {
    faults: lostAnswers('simple-payment-fund'),
    disturbances: [when({ on: 'approved' }, { kind: 'stale_reads', times: 1_000 })],
    mayEndUnknown: true,
  }),
  scenario('tokens, quotes and upload addresses that die early, and too little money for a while', {
    webhooks: true,
    rows: [...ROWS, 'file', 'file'],
    sandbox: { tokenTtlMs: 1_500, quoteTtlMs: 1_500, uploadTtlMs: 300, balances: { USD: '300.00' } },
    disturbances: [
      when(
        { on: 'rows', states: ['awaiting_funds'], atLeast: 2 },
        { kind: 'money_comes', currency: 'USD', amount: '9000000.00' },
      ),
    ],
  }),
];

export const CHOSEN_SCENARIOS = [...TESTED_SCENARIOS, ...LONGER_SCENARIOS];
