import { requestTrigger, delayOf, type ScenarioClass, happens, oneOf } from './random-choices.ts';

/** Answers that payrun could misinterpret. */
export const AMBIGUOUS_ANSWER_CLASSES: Readonly<Record<string, ScenarioClass>> = {
  'refused fundings although there is enough money': (random) => ({
    faults: Array.from({ length: random.between(1, 3) }, () => ({
      operation: 'simple-payment-fund',
      kind: 'error_before' as const,
      status: oneOf(random, [400, 402, 404, 409, 410, 422]),
      nth: random.between(1, 4),
    })),
  }),
  'HTTP 503 with Retry-After, also after the request was processed': (random) => ({
    faults: ['simple-payment-create', 'simple-payment-fund'].map((operation) => ({
      operation,
      kind: oneOf(random, ['error_after', 'error_after', 'error_before'] as const),
      status: 503,
      retryAfterSeconds: oneOf(random, [1, 2]),
      nth: random.between(1, 4),
      times: random.between(1, 2),
    })),
  }),
  'expired quotes, and refusals by a gateway in front of the provider': (random) => ({
    faults: [
      {
        operation: 'simple-payment-create',
        kind: 'quote_dies',
        nth: random.between(1, 3),
        times: random.between(1, 2),
      },
      {
        operation: oneOf(random, ['simple-payment-quote', 'simple-payment-create', 'simple-payment-fund']),
        kind: oneOf(random, ['error_html_before', 'error_before'] as const),
        status: oneOf(random, [404, 405, 413]),
        nth: random.between(1, 4),
      },
    ],
  }),
  'corrected details of a beneficiary': (random, rows) => {
    const kind = oneOf(random, ['reset_after', 'garbled_after', 'slow_after'] as const);
    return {
      rows: [
        'shared_beneficiary',
        'corrected_beneficiary',
        'corrected_beneficiary',
        'shared_beneficiary',
        'sell',
        'sell',
      ],
      disruptions: happens(random, 0.5)
        ? [{ trigger: requestTrigger(random, rows), action: { kind: 'kill', services: ['worker'] } }]
        : [],
      faults: [{ operation: 'beneficiary-create', kind, nth: random.between(1, 3), ...delayOf(random, kind) }],
    };
  },
  'answers without the creation time of a payment': (random) => ({
    webhooks: happens(random, 0.5),
    disruptions: [
      { trigger: { on: 'approved' }, action: { kind: 'omit_creation_times', times: random.between(3, 1_000) } },
    ],
  }),
  'released duplicate suspects': (random, rows) => ({
    rows: ['sell', 'released', 'sell', 'released', 'released', 'sell'],
    disruptions: happens(random, 0.5)
      ? [{ trigger: requestTrigger(random, rows), action: { kind: 'kill', services: ['worker'] } }]
      : [],
  }),
};
