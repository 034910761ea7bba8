import { describe, expect, test } from 'vitest';
import { newOrderSchema } from '../../api/treasury/order.ts';
import { NO_TERMS, orderRequestOf } from '../../console/treasury/order-terms.ts';

describe('an order as it is typed', () => {
  const terms = { ...NO_TERMS, sellCurrency: 'USD', buyCurrency: 'EUR', amount: '500.00' };

  test('has what is left empty as not given', () => {
    expect(orderRequestOf(terms)).toEqual({
      ...{ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '500.00', account: null },
      ...{ maxCostBps: null, cap: null, limitPrice: null, expiresAt: null },
    });
  });

  test.each([
    ['sold', { buyPerSellAtLeast: '0.9150' }],
    ['bought', { sellPerBuyAtMost: '0.9150' }],
  ] as const)('has its worst price for one %s', (priceOf, limitPrice) => {
    const request = orderRequestOf({ ...terms, price: '0.9150', priceOf });
    expect(request.limitPrice).toEqual(limitPrice);
    expect(newOrderSchema.parse(request).limitPrice).toEqual(limitPrice);
  });

  test('expires at a time of the device', () => {
    const { expiresAt } = newOrderSchema.parse(orderRequestOf({ ...terms, expires: '2026-12-01T16:00' }));
    expect(new Date(expiresAt ?? '').getTime()).toBe(new Date(2026, 11, 1, 16).getTime());
  });
});
