import { describe, expect, test } from 'vitest';
import { approvedTotal, type ConversionOrder, isWithinApproval } from '../../domain/treasury/conversion-order.ts';
import { costShare, exchangeCosts } from '../../domain/rates/exchange-costs.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';

describe('what an exchange has cost', () => {
  const exchange = { sellAmount: '1000.00', buyAmount: '910.00', totalAmount: '1002.50' };

  test.each([
    ['0.92', '10.87'],
    ['0.91', '0.00'],
    ['0.90', '-11.11'],
  ])('at a reference of %s beside the fees is %s', (reference, cost) => {
    expect(exchangeCosts({ ...exchange, reference: ratioOf(reference, 1) }, 2)).toEqual({
      total: '1002.50',
      fees: '2.50',
      exchange: cost,
    });
  });

  test('is not known without a reference', () => {
    expect(exchangeCosts({ ...exchange, reference: null }, 2)).toMatchObject({ fees: '2.50', exchange: null });
  });

  test('is a part of what left the balance', () => {
    expect(costShare({ total: '1000.00', fees: '2.50', exchange: '10.00' })).toBe('125.00');
    expect(costShare({ total: '1000.00', fees: '2.50', exchange: '-10.00' })).toBe('-75.00');
    expect(costShare({ total: '0', fees: '0', exchange: '0' })).toBeNull();
  });
});

describe('an approval covers', () => {
  const order: ConversionOrder = {
    ...{ orderId: 'o', account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'buy' },
    ...{ amount: '900.00', limitPrice: null, maxCostBps: null, cap: null, expiresAt: '2026-01-31T16:00:00.000Z' },
  };

  test.each([
    [{ cap: '1234.00' }, '1234.00'],
    [{ fixedSide: 'sell' }, '945'],
    [{ limitPrice: { sellPerBuyAtMost: '1.1' } }, '990'],
    [{ limitPrice: { buyPerSellAtLeast: '0.7' } }, '1285.7143'],
    [{}, null],
  ] as const)('of %j up to %s', (parts, total) => {
    expect(approvedTotal({ ...order, ...parts })).toBe(total);
  });

  test('nothing where a policy allows small orders without one, as far as that is known before a quote', () => {
    expect(isWithinApproval({ ...order, fixedSide: 'sell' }, '900.00')).toBe(true);
    expect(isWithinApproval({ ...order, fixedSide: 'sell' }, '899.99')).toBe(false);
    expect(isWithinApproval(order, '1.00')).toBe(true);
    expect(isWithinApproval(order, null)).toBe(false);
  });
});
