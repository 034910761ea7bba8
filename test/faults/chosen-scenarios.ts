import type { FaultSpec } from '../../sandbox/faults/faults.ts';
import { canAffect, REQUEST_KINDS, WEBHOOK_KINDS } from './fault-choices.ts';
import type { Action, Disruption, RowKind, Scenario, Trigger } from './scenario.ts';

/** Written scenarios: at least one for each class, and every scenario that once failed. */

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
  return { ...usual, about, sandbox: {}, faults: [], disruptions: [], ...parts };
}

const request = (operation: string, nth: number, phase: 'sent' | 'processed'): Trigger => ({
  on: 'request',
  operation,
  nth,
  phase,
});

const when = (trigger: Trigger, action: Action): Disruption => ({ trigger, action });

/** Every kind of fault that applies to one of the operations, spread over them; each affects the next request. */
function everyKindOn(...operations: string[]): FaultSpec[] {
  return REQUEST_KINDS.flatMap((kind, index) => {
    const applicable = operations.filter((operation) => canAffect(kind, operation));
    const operation = applicable[index % applicable.length];
    const delays = kind.startsWith('slow') ? { delayMs: 2_500 } : {};
    return operation === undefined ? [] : [{ operation, kind, ...delays }];
  });
}

const lostAnswers = (operation: string): FaultSpec[] => [
  { operation, kind: 'reset_after', nth: 1 },
  { operation, kind: 'error_after', nth: 2 },
  { operation, kind: 'garbled_after', nth: 3 },
];

const ALL = ['worker', 'server', 'temporal', 'postgres'] as const;

/** Part of `npm test`: a fault or a crash at each place where a payment could be lost or doubled. */
export const TESTED_SCENARIOS: readonly Scenario[] = [
  scenario('every kind of fault on creations and fundings', {
    faults: everyKindOn('simple-payment-create', 'simple-payment-fund'),
  }),
  scenario('a worker that is killed when a funding was processed', {
    webhooks: false,
    disruptions: [when(request('simple-payment-fund', 2, 'processed'), { kind: 'kill', services: ['worker'] })],
  }),
  scenario('Postgres that is killed when a creation was processed', {
    disruptions: [when(request('simple-payment-create', 2, 'processed'), { kind: 'kill', services: ['postgres'] })],
  }),
  scenario('lost answers to creations, and a list that shows payments late and one at a time', {
    sandbox: { findLagMs: 1_500, maxFindResults: 1 },
    faults: lostAnswers('simple-payment-create'),
  }),
  scenario('everything at once', {
    workers: 2,
    clocksMs: [5 * MINUTE_MS, -MINUTE_MS],
    sandbox: { findLagMs: 600, tokenTtlMs: 4_000 },
    faults: [...lostAnswers('simple-payment-create'), ...lostAnswers('simple-payment-fund')],
    disruptions: [
      when(request('simple-payment-create', 3, 'processed'), { kind: 'kill', services: ['worker', 'temporal'] }),
      when(request('simple-payment-create', 5, 'sent'), { kind: 'disconnect_postgres', how: 'refuse', forMs: 1_000 }),
      when(request('simple-payment-fund', 3, 'processed'), { kind: 'cut_provider', forMs: 0 }),
    ],
  }),
];

/** Part of `npm run test:long`; `npm run faults -- --chosen` runs all. */
export const LONGER_SCENARIOS: readonly Scenario[] = [
  scenario('a worker and Temporal that are killed while the last payments wait for confirmation', {
    disruptions: [
      when(
        { on: 'rows', states: ['processing', 'paid', 'rejected', 'failed'], atLeast: 9 },
        {
          kind: 'kill',
          services: ['worker', 'temporal'],
        },
      ),
    ],
  }),
  scenario('Temporal that is killed when a funding was processed', {
    disruptions: [when(request('simple-payment-fund', 3, 'processed'), { kind: 'kill', services: ['temporal'] })],
  }),
  scenario('all connections to the provider reset at a creation, and for a while at a funding', {
    disruptions: [
      when(request('simple-payment-create', 2, 'processed'), { kind: 'cut_provider', forMs: 0 }),
      when(request('simple-payment-fund', 3, 'processed'), { kind: 'cut_provider', forMs: 1_500 }),
    ],
  }),
  scenario('a worker that freezes during a creation and continues after another worker has taken over', {
    workers: 2,
    disruptions: [when(request('simple-payment-create', 2, 'sent'), { kind: 'freeze_worker', forMs: 16_000 })],
  }),
  scenario('workers whose clocks differ by half an hour, with quotes that expire within seconds', {
    workers: 2,
    clocksMs: [-15 * MINUTE_MS, 15 * MINUTE_MS],
    sandbox: { quoteTtlMs: 3_000 },
  }),
  scenario('Postgres unreachable at a creation, hanging at a funding, its connections reset at a quote', {
    disruptions: [
      when(request('simple-payment-quote', 2, 'processed'), { kind: 'disconnect_postgres', how: 'reset', forMs: 0 }),
      when(request('simple-payment-create', 3, 'processed'), {
        kind: 'disconnect_postgres',
        how: 'refuse',
        forMs: 1_500,
      }),
      when(request('simple-payment-fund', 5, 'sent'), { kind: 'disconnect_postgres', how: 'hang', forMs: 2_000 }),
    ],
  }),
  scenario('Temporal unreachable at a creation and hanging at a funding', {
    disruptions: [
      when(request('simple-payment-create', 2, 'processed'), {
        kind: 'disconnect_temporal',
        how: 'refuse',
        forMs: 1_500,
      }),
      when(request('simple-payment-fund', 5, 'processed'), { kind: 'disconnect_temporal', how: 'hang', forMs: 2_000 }),
    ],
  }),
  scenario('a full disk while payments are created', {
    disruptions: [when(request('simple-payment-create', 2, 'sent'), { kind: 'fill_disk', forMs: 2_500 })],
  }),
  scenario('lost answers to fundings, and stale reads for a while', {
    faults: lostAnswers('simple-payment-fund'),
    disruptions: [when({ on: 'approved' }, { kind: 'stale_reads', times: 6 })],
  }),
  scenario('webhooks that are lost, duplicated, late or forged', {
    faults: WEBHOOK_KINDS.map((kind, index) => ({ operation: 'webhook', kind, nth: index + 1, times: 3 })),
    disruptions: [when(request('simple-payment-create', 3, 'processed'), { kind: 'forge_webhooks' })],
  }),
  scenario('every kind of fault on quotes, beneficiaries and sign-ins', {
    faults: [
      ...everyKindOn('simple-payment-quote', 'beneficiary-create', 'auth-authenticate'),
      // Otherwise one token would be enough for the whole run.
      { operation: 'simple-payment-quote', kind: 'token_dies', times: 4 },
      { operation: 'simple-payment-fund', kind: 'token_dies', times: 3 },
    ],
  }),
  scenario('every kind of fault on uploads, and lists that cannot be read', {
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
  scenario('a worker that is killed when a creation was sent', {
    disruptions: [when(request('simple-payment-create', 3, 'sent'), { kind: 'kill', services: ['worker'] })],
  }),
  scenario('a worker that is killed when a beneficiary was created, and again at a quote', {
    disruptions: [
      when(request('beneficiary-create', 2, 'processed'), { kind: 'kill', services: ['worker'] }),
      when(request('simple-payment-quote', 6, 'processed'), { kind: 'kill', services: ['worker'] }),
    ],
  }),
  scenario('all services killed at once during the fundings', {
    disruptions: [when(request('simple-payment-fund', 4, 'processed'), { kind: 'kill', services: ALL })],
  }),
  scenario('a worker that freezes during a funding and continues after another worker has taken over', {
    workers: 2,
    disruptions: [when(request('simple-payment-fund', 2, 'processed'), { kind: 'freeze_worker', forMs: 16_000 })],
  }),
  scenario('a worker that freezes during a quote', {
    workers: 2,
    sandbox: { quoteTtlMs: 4_000 },
    disruptions: [when(request('simple-payment-quote', 2, 'sent'), { kind: 'freeze_worker', forMs: 14_000 })],
  }),
  scenario('a worker that freezes while it renews the shared token', {
    workers: 2,
    faults: [{ operation: 'beneficiary-create', kind: 'token_dies' }],
    disruptions: [when(request('auth-authenticate', 1, 'sent'), { kind: 'freeze_worker', forMs: 12_000 })],
  }),
  scenario('a clock that jumps forward between quote and creation', {
    disruptions: [
      when(request('simple-payment-quote', 2, 'processed'), { kind: 'jump_clock', byMs: 11 * MINUTE_MS }),
      when(request('simple-payment-fund', 2, 'processed'), { kind: 'jump_clock', byMs: -5 * MINUTE_MS }),
    ],
  }),
  scenario('lost answers to fundings, and reads that never show them, so that the outcome is unknown', {
    faults: lostAnswers('simple-payment-fund'),
    disruptions: [when({ on: 'approved' }, { kind: 'stale_reads', times: 1_000 })],
    mayEndUnknown: true,
  }),
  scenario('tokens, quotes and upload addresses that expire early, and too little money for a while', {
    webhooks: true,
    rows: [...ROWS, 'file', 'file'],
    sandbox: { tokenTtlMs: 1_500, quoteTtlMs: 1_500, uploadTtlMs: 300, balances: { USD: '300.00' } },
    disruptions: [
      when(
        { on: 'rows', states: ['awaiting_funds'], atLeast: 2 },
        { kind: 'deposit', currency: 'USD', amount: '9000000.00' },
      ),
    ],
  }),
];

export const CHOSEN_SCENARIOS = [...TESTED_SCENARIOS, ...LONGER_SCENARIOS];
