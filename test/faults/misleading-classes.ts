import { aRequest, delayOf, type Draw, isSo, oneOf } from './draws.ts';

/** Answers that could be taken for something else than they are. */
export const MISLEADING_CLASSES: Readonly<Record<string, Draw>> = {
  'fundings that are refused although there is money': (chance) => ({
    faults: Array.from({ length: chance.between(1, 3) }, () => ({
      operation: 'simple-payment-fund',
      kind: 'error_before' as const,
      status: oneOf(chance, [400, 402, 404, 409, 410, 422]),
      nth: chance.between(1, 4),
    })),
  }),
  'services that are said to be away, and for how long, after it was done': (chance) => ({
    faults: ['simple-payment-create', 'simple-payment-fund'].map((operation) => ({
      operation,
      kind: oneOf(chance, ['error_after', 'error_after', 'error_before'] as const),
      status: 503,
      retryAfterSeconds: oneOf(chance, [1, 2]),
      nth: chance.between(1, 4),
      times: chance.between(1, 2),
    })),
  }),
  'quotes that die, and refusals by what stands before the provider': (chance) => ({
    faults: [
      {
        operation: 'simple-payment-create',
        kind: 'quote_dies',
        nth: chance.between(1, 3),
        times: chance.between(1, 2),
      },
      {
        operation: oneOf(chance, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
        kind: oneOf(chance, ['error_html_before', 'error_before'] as const),
        status: oneOf(chance, [404, 405, 413]),
        nth: chance.between(1, 4),
      },
    ],
  }),
  'details of a beneficiary that were corrected': (chance, rows) => {
    const kind = oneOf(chance, ['reset_after', 'garbled_after', 'slow_after'] as const);
    return {
      rows: [
        'shared_beneficiary',
        'corrected_beneficiary',
        'corrected_beneficiary',
        'shared_beneficiary',
        'sell',
        'sell',
      ],
      disturbances: isSo(chance, 0.5)
        ? [{ at: aRequest(chance, rows), does: { kind: 'kill', services: ['worker'] } }]
        : [],
      faults: [{ operation: 'beneficiary-create', kind, nth: chance.between(1, 3), ...delayOf(chance, kind) }],
    };
  },
  'answers that leave out when a payment was created': (chance) => ({
    webhooks: isSo(chance, 0.5),
    disturbances: [{ at: { on: 'approved' }, does: { kind: 'no_creation_times', times: chance.between(3, 1_000) } }],
  }),
  'suspected duplicates that are released': (chance, rows) => ({
    rows: ['sell', 'released', 'sell', 'released', 'released', 'sell'],
    disturbances: isSo(chance, 0.5)
      ? [{ at: aRequest(chance, rows), does: { kind: 'kill', services: ['worker'] } }]
      : [],
  }),
};
