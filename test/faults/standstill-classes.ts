import { aRequest, type Draw, isSo, lostAnswers, oneOf } from './draws.ts';
import type { RowKind } from './scenario.ts';

const FILES: readonly RowKind[] = ['file', 'sell', 'file', 'file', 'sell', 'file'];
const TWO_CURRENCIES: readonly RowKind[] = [
  ...['other_currency', 'sell', 'other_currency', 'sell', 'other_currency', 'sell'],
  ...['other_currency', 'other_currency', 'sell', 'buy', 'shared_beneficiary', 'sell'],
] as RowKind[];
const MANY: readonly RowKind[] = Array.from({ length: 30 }, () => 'sell');

/** What could keep everything else waiting. */
export const STANDSTILL_CLASSES: Readonly<Record<string, Draw>> = {
  'lists that show few of the many on their way': (chance) => ({
    rows: MANY,
    webhooks: isSo(chance, 0.5),
    sandbox: { findMost: chance.between(1, 3), completionMinMs: 100, completionMaxMs: 8_000 },
  }),
  'lists of payments that cannot be read': (chance) => ({
    webhooks: isSo(chance, 0.5),
    faults: [
      {
        operation: 'simple-payment-find',
        kind: oneOf(chance, ['cut_after', 'garbled_after', 'not_json_after', 'empty_after', 'error_before'] as const),
        times: chance.between(5, 40),
      },
    ],
  }),
  'a currency without money': (chance, rows) => ({
    rows: TWO_CURRENCIES,
    sandbox: { balances: { EUR: '0.00', USD: '9000000.00' } },
    disturbances: [
      ...(isSo(chance, 0.5)
        ? [{ at: aRequest(chance, rows), does: { kind: 'kill', services: ['worker'] } } as const]
        : []),
      {
        at: { on: 'rows', states: ['paid'], atLeast: 4 },
        does: { kind: 'money_comes', currency: 'EUR', amount: '9000000.00' },
      },
    ],
  }),
  'many events that speak of money': (chance) => ({
    rows: TWO_CURRENCIES,
    webhooks: true,
    sandbox: { balances: { EUR: '0.00', USD: '9000000.00' } },
    faults: [{ operation: 'webhook', kind: 'webhook_duplicate', times: 20 }],
    disturbances: [
      ...Array.from({ length: chance.between(5, 15) }, () => ({
        at: { on: 'rows', states: ['awaiting_funds'], atLeast: 1 } as const,
        does: { kind: 'money_comes', currency: 'EUR', amount: '1.00' } as const,
      })),
      {
        at: { on: 'rows', states: ['paid'], atLeast: 5 },
        does: { kind: 'money_comes', currency: 'EUR', amount: '9000000.00' },
      },
    ],
  }),
  'a storage that says nothing': (chance) => {
    const kind = oneOf(chance, ['slow', 'slow_after', 'reset_before'] as const);
    const delay = kind === 'reset_before' ? {} : { delayMs: 30_000 };
    return {
      rows: FILES,
      faults: [{ operation: 'simple-payment-upload-file', kind, ...delay, times: chance.between(1, 2) }],
    };
  },
  'too many requests, without a word of how long': (chance) => ({
    faults: Array.from({ length: chance.between(1, 3) }, () => ({
      operation: oneOf(chance, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
      kind: 'rate_limited' as const,
      retryAfterSeconds: null,
      nth: chance.between(1, 5),
      times: chance.between(1, 3),
    })),
  }),
  'a run that is stored while Temporal is away': (chance) => ({
    disturbances: [
      {
        at: { on: 'submitted' },
        does: {
          kind: 'lose_temporal',
          how: oneOf(chance, ['refuse', 'hang'] as const),
          forMs: chance.between(1_000, 9_000),
        },
      },
    ],
  }),
  'a database that is lost in the middle of what belongs together': (chance, rows) => ({
    sandbox: { tokenTtlMs: oneOf(chance, [1_500, 600_000]) },
    disturbances: Array.from({ length: chance.between(2, 5) }, () => ({
      at: aRequest(chance, rows),
      does: { kind: 'lose_postgres', how: 'reset', forMs: 0 } as const,
    })),
  }),
  'beneficiaries whose creation nobody can look up': (chance) => ({
    faults: [
      ...lostAnswers(chance, 'beneficiary-create'),
      {
        operation: 'beneficiary-find',
        kind: oneOf(chance, ['cut_after', 'garbled_after', 'not_json_after'] as const),
        times: chance.between(5, 20),
      },
    ],
  }),
  'a step that is forbidden while others are not': (chance) => ({
    faults: [
      {
        operation: oneOf(chance, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
        kind: 'error_before',
        status: 403,
        nth: chance.between(1, 4),
        times: chance.between(1, 3),
      },
    ],
  }),
};
