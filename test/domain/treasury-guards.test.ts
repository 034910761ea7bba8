import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conversionGuards, type GuardInput } from '../../domain/treasury/conversion-guards.ts';
import {
  keyedOrderId,
  occurrenceId,
  runOrderId,
  triggeredOccurrenceId,
} from '../../domain/treasury/conversion-identity.ts';
import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import { conversionOrderHash, type ConversionOrder, unorderedPair } from '../../domain/treasury/conversion-order.ts';
import { CONVERSION_REASONS } from '../../domain/treasury/conversion-reason-codes.ts';
import { aGuardInput, anOrder, aQuote } from './treasury-orders.ts';

const GUARDS = [
  ...['quote', 'fees', 'limit_price', 'max_cost', 'max_order', 'cap'],
  ...['daily_cap', 'funds', 'open_order', 'expiry', 'approval'],
];

const order = (differences: Partial<ConversionOrder>) => ({ order: anOrder(differences) });
const outcome = (differences: Partial<GuardInput>) => {
  const { decision, code } = conversionGuards(aGuardInput(differences));
  return code === null ? decision : `${decision}: ${code}`;
};

describe('the guards', () => {
  test('are all listed, each with what it says, also after one has refused', () => {
    const { findings } = conversionGuards(aGuardInput({ free: '0.00' }));
    expect(findings.map(({ guard }) => guard)).toEqual(GUARDS);
    expect(findings.every(({ says }) => says.length > 10)).toBe(true);
    expect(findings.filter(({ verdict }) => verdict === 'refuses').map(({ guard }) => guard)).toEqual(['funds']);
  });

  test('commit when they all pass', () => {
    const report = conversionGuards(aGuardInput());
    expect(report).toMatchObject({ decision: 'commit', code: null });
    expect(report.findings.map(({ verdict }) => verdict)).toEqual(GUARDS.map(() => 'passes'));
  });

  test('without limits say so, and still need money and an approval', () => {
    const { findings } = conversionGuards(
      aGuardInput({ ...order({}), maxOrder: null, dailyCap: null, approvalThreshold: null }),
    );
    expect(findings.filter(({ verdict }) => verdict === 'not_set').map(({ guard }) => guard)).toEqual([
      ...['limit_price', 'max_cost', 'max_order', 'cap', 'daily_cap'],
    ]);
    expect(findings.find(({ guard }) => guard === 'approval')).toMatchObject({ verdict: 'refuses' });
  });

  test.each<[string, Partial<GuardInput>, string]>([
    // 9,186.00 / 10,025.00 = 0.91630922…
    ['the limit price', order({ limitPrice: { buyPerSellAtLeast: '0.9163092269' } }), 'commit'],
    ['the limit price', order({ limitPrice: { buyPerSellAtLeast: '0.9163092270' } }), 'skip: price_beyond_limit'],
    // 10,025.00 / 9,186.00 = 1.09133464…
    ['the limit price', order({ limitPrice: { sellPerBuyAtMost: '1.0913346397' } }), 'commit'],
    ['the limit price', order({ limitPrice: { sellPerBuyAtMost: '1.0913346396' } }), 'skip: price_beyond_limit'],
    // 40.1170…
    ['the maximum cost', order({ maxCostBps: '40.12' }), 'commit'],
    ['the maximum cost', order({ maxCostBps: '40.11' }), 'skip: cost_beyond_maximum'],
    ['the maximum order', { maxOrder: '10025.00' }, 'commit'],
    ['the maximum order', { maxOrder: '10024.99' }, 'skip: order_too_large'],
    ['the cap of the order', order({ cap: '10025.00' }), 'commit'],
    ['the cap of the order', order({ cap: '10024.99' }), 'skip: order_too_large'],
    ['the daily cap', { committedToday: '39975.00' }, 'commit'],
    ['the daily cap', { committedToday: '39975.01' }, 'skip: daily_cap_reached'],
    ['free money', { free: '10025.00' }, 'commit'],
    ['free money', { free: '10024.99' }, 'skip: not_enough_money'],
    ['expiry', { nowMs: Date.parse('2026-11-23T12:00:00.000Z') }, 'commit'],
    ['expiry', { nowMs: Date.parse('2026-11-23T12:00:00.001Z') }, 'expire: order_expired'],
    ['the threshold', { approvalThreshold: '10025.00' }, 'commit'],
    ['the threshold', { approvalThreshold: '10024.99' }, 'ask_for_approval: approval_needed'],
    ['the approval', { approvalThreshold: null, approvedUpTo: '10025.00' }, 'commit'],
    ['the approval', { approvalThreshold: null, approvedUpTo: '10024.99' }, 'ask_for_approval: approval_needed'],
  ])('%s is exact to the last digit (%#)', (_, differences, expected) => {
    expect(outcome(differences)).toBe(expected);
  });

  test('an open order of the pair refuses in either direction, and the order itself and other pairs do not', () => {
    const open = (orderId: string, sellCurrency: string, buyCurrency: string) => ({
      openOrders: [{ orderId, sellCurrency, buyCurrency }],
    });
    expect(outcome(open('order-2', 'USD', 'EUR'))).toBe('skip: pair_has_open_order');
    expect(outcome(open('order-2', 'EUR', 'USD'))).toBe('skip: pair_has_open_order');
    expect(outcome(open('order-1', 'USD', 'EUR'))).toBe('commit');
    expect(outcome(open('order-2', 'USD', 'GBP'))).toBe('commit');
  });

  test('hold what people have to look at, whatever else refuses', () => {
    const expired = { nowMs: Date.parse('2026-11-24T00:00:00Z'), free: '0.00' };
    expect(outcome({ ...expired, quote: aQuote({ totalAmount: '10001.00' }) })).toBe('hold: fees_not_understood');
    expect(outcome({ ...expired, quote: aQuote({ sellAmount: '10001.00' }) })).toBe('hold: quote_differs');
    const unclear = { price: null, code: 'reference_unclear', says: 'there is none' } as const;
    expect(outcome({ ...expired, reference: unclear, ...order({ maxCostBps: '50' }) })).toBe('hold: reference_unclear');
    expect(outcome({ reference: unclear, ...order({}) })).toBe('commit');
  });

  test('skip before they ask for an approval of what would be refused afterwards', () => {
    expect(outcome({ approvalThreshold: null, free: '0.00' })).toBe('skip: not_enough_money');
  });

  test('refuse a quote without a price, in place of failing', () => {
    expect(outcome({ quote: aQuote({ totalAmount: '0.00', sellAmount: '0.00', totalFees: '0.00' }) })).toMatch(/^hold/);
    expect(outcome({ quote: aQuote({ buyAmount: '0.00' }) })).toBe('hold: quote_differs');
  });

  test('give reasons that belong to the state that follows', () => {
    const states = { hold: 'held', skip: 'skipped', expire: 'expired', ask_for_approval: 'in_approval' } as const;
    const money = fc.constantFrom('0.00', '10024.99', '10025.00', '99999.00');
    const inputs = fc.record({
      free: money,
      maxOrder: money,
      dailyCap: money,
      approvalThreshold: money,
      quote: fc.constantFrom(aQuote(), aQuote({ totalFees: '1.00' }), aQuote({ buyAmount: '1.00' })),
      nowMs: fc.constantFrom(0, Date.parse('2027-01-01T00:00:00Z')),
    });
    fc.assert(
      fc.property(inputs, (differences) => {
        const { decision, code, findings } = conversionGuards(aGuardInput(differences));
        const refused = findings.filter(({ verdict }) => verdict === 'refuses');
        expect(decision === 'commit').toBe(refused.length === 0);
        expect(refused.every((finding) => finding.code !== null)).toBe(true);
        if (decision === 'commit' || code === null) return;
        expect(CONVERSION_REASONS[code].states).toContain(states[decision]);
        expect(refused.map((finding) => finding.code)).toContain(code);
      }),
    );
  });
});

describe('an order', () => {
  test('is bound as a whole: any other term is another hash', () => {
    const terms: Partial<ConversionOrder>[] = [
      ...[{ orderId: 'order-2' }, { account: 'other' }, { sellCurrency: 'GBP' }, { buyCurrency: 'GBP' }],
      ...[{ fixedSide: 'buy' as const }, { amount: '10000.01' }, { maxCostBps: '1' }, { cap: '1.00' }],
      ...[{ limitPrice: { buyPerSellAtLeast: '1' } }, { limitPrice: { sellPerBuyAtMost: '1' } }],
      { expiresAt: '2026-11-23T12:00:01.000Z' },
    ];
    const hashes = [{}, ...terms].map((term) => conversionOrderHash(anOrder(term)));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('has one pair for both directions', () => {
    expect(unorderedPair({ sellCurrency: 'USD', buyCurrency: 'EUR' })).toBe('EUR/USD');
    expect(unorderedPair({ sellCurrency: 'EUR', buyCurrency: 'USD' })).toBe('EUR/USD');
  });
});

describe('the ids', () => {
  test('never change: another value here would convert a second time', () => {
    const occurrence = occurrenceId('schedule-1', '2026-11-23', 1);
    expect([
      keyedOrderId('default', 'user-1', 'key-1'),
      occurrence,
      triggeredOccurrenceId('schedule-1', 'key-1'),
      runOrderId(occurrence, { sell: 'USD', buy: 'EUR' }),
    ]).toEqual([
      '5f97f8fd-151f-5798-ade4-f1d89a1f7941',
      '85d5cbab-5d83-5519-a3c7-e68036427f19',
      '73f1f192-58b9-5a27-aaa1-2191ab3cf2a6',
      '7e6c793c-e94a-565c-bb79-182fb51bbe60',
    ]);
  });

  test('differ by each part, and parts do not run into each other', () => {
    const ids = [
      occurrenceId('schedule-1', '2026-11-23', 1),
      occurrenceId('schedule-1', '2026-11-23', 2),
      occurrenceId('schedule-1', '2026-11-24', 1),
      occurrenceId('schedule-2', '2026-11-23', 1),
      triggeredOccurrenceId('schedule-1', '2026-11-23'),
      keyedOrderId('a', 'b\nc', 'd'),
      keyedOrderId('a\nb', 'c', 'd'),
      runOrderId('x', { sell: 'USD', buy: 'EUR' }),
      runOrderId('x', { sell: 'EUR', buy: 'USD' }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('make references of at most 40 characters', () => {
    expect(referenceIdOf(occurrenceId('s', '2026-11-23', 1), 999)).toHaveLength(40);
  });
});
