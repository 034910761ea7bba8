import { requestTrigger, type ScenarioClass, happens, lostAnswers, oneOf } from './random-choices.ts';
import type { RowKind } from './scenario.ts';

const FILES: readonly RowKind[] = ['file', 'sell', 'file', 'file', 'sell', 'file'];
const TWO_CURRENCIES: readonly RowKind[] = [
  ...['other_currency', 'sell', 'other_currency', 'sell', 'other_currency', 'sell'],
  ...['other_currency', 'other_currency', 'sell', 'buy', 'shared_beneficiary', 'sell'],
] as RowKind[];
const MANY: readonly RowKind[] = Array.from({ length: 30 }, () => 'sell');

/** Problems of some payments that must not block the others. */
export const BLOCKING_CLASSES: Readonly<Record<string, ScenarioClass>> = {
  'lists that show only a few of many payments in flight': (random) => ({
    rows: MANY,
    webhooks: happens(random, 0.5),
    sandbox: { maxFindResults: random.between(1, 3), completionMinMs: 100, completionMaxMs: 8_000 },
  }),
  'lists of payments that cannot be parsed': (random) => ({
    webhooks: happens(random, 0.5),
    faults: [
      {
        operation: 'simple-payment-find',
        kind: oneOf(random, ['cut_after', 'garbled_after', 'not_json_after', 'empty_after', 'error_before'] as const),
        times: random.between(5, 40),
      },
    ],
  }),
  'a currency without money until a deposit': (random, rows) => ({
    rows: TWO_CURRENCIES,
    sandbox: { balances: { EUR: '0.00', USD: '9000000.00' } },
    disruptions: [
      ...(happens(random, 0.5)
        ? [{ trigger: requestTrigger(random, rows), action: { kind: 'kill', services: ['worker'] } } as const]
        : []),
      {
        trigger: { on: 'rows', states: ['paid'], atLeast: 4 },
        action: { kind: 'deposit', currency: 'EUR', amount: '9000000.00' },
      },
    ],
  }),
  'many webhooks about deposits': (random) => ({
    rows: TWO_CURRENCIES,
    webhooks: true,
    sandbox: { balances: { EUR: '0.00', USD: '9000000.00' } },
    faults: [{ operation: 'webhook', kind: 'webhook_duplicate', times: 20 }],
    disruptions: [
      ...Array.from({ length: random.between(5, 15) }, () => ({
        trigger: { on: 'rows', states: ['awaiting_funds'], atLeast: 1 } as const,
        action: { kind: 'deposit', currency: 'EUR', amount: '1.00' } as const,
      })),
      {
        trigger: { on: 'rows', states: ['paid'], atLeast: 5 },
        action: { kind: 'deposit', currency: 'EUR', amount: '9000000.00' },
      },
    ],
  }),
  'a file storage that does not answer': (random) => {
    const kind = oneOf(random, ['slow', 'slow_after', 'reset_before'] as const);
    const delay = kind === 'reset_before' ? {} : { delayMs: 30_000 };
    return {
      rows: FILES,
      faults: [{ operation: 'simple-payment-upload-file', kind, ...delay, times: random.between(1, 2) }],
    };
  },
  'HTTP 429 without Retry-After': (random) => ({
    faults: Array.from({ length: random.between(1, 3) }, () => ({
      operation: oneOf(random, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
      kind: 'rate_limited' as const,
      retryAfterSeconds: null,
      nth: random.between(1, 5),
      times: random.between(1, 3),
    })),
  }),
  'a run submitted while Temporal is unreachable': (random) => ({
    disruptions: [
      {
        trigger: { on: 'submitted' },
        action: {
          kind: 'disconnect_temporal',
          how: oneOf(random, ['refuse', 'hang'] as const),
          forMs: random.between(1_000, 9_000),
        },
      },
    ],
  }),
  'database connections reset within transactions': (random, rows) => ({
    sandbox: { tokenTtlMs: oneOf(random, [1_500, 600_000]) },
    disruptions: Array.from({ length: random.between(2, 5) }, () => ({
      trigger: requestTrigger(random, rows),
      action: { kind: 'disconnect_postgres', how: 'reset', forMs: 0 } as const,
    })),
  }),
  'beneficiaries whose creation cannot be looked up': (random) => ({
    faults: [
      ...lostAnswers(random, 'beneficiary-create'),
      {
        operation: 'beneficiary-find',
        kind: oneOf(random, ['cut_after', 'garbled_after', 'not_json_after'] as const),
        times: random.between(5, 20),
      },
    ],
  }),
  'HTTP 403 for one step only': (random) => ({
    faults: [
      {
        operation: oneOf(random, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
        kind: 'error_before',
        status: 403,
        nth: random.between(1, 4),
        times: random.between(1, 3),
      },
    ],
  }),
};
