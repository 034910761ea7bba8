import { describe, expect, test } from 'vitest';
import { quotedPrices } from '../../domain/treasury/indicative-prices.ts';
import { unreservedCosts } from '../../domain/treasury/planned-costs.ts';

const cost = (runId: string, amount: string, on: string, currency = 'EUR') => ({ runId, currency, amount, on });

describe('costs without reserved money', () => {
  test('are those of the latest rows of a run', () => {
    const costs = [cost('a', '50.00', '2026-11-30'), cost('a', '100.00', '2026-11-24')];
    const reserved = [{ runId: 'a', currency: 'EUR', amount: '120.00' }];
    expect(unreservedCosts(costs, reserved)).toEqual([{ currency: 'EUR', amount: '30', on: '2026-11-30' }]);
  });

  test('are not covered by what is reserved for another run, or in another currency', () => {
    const reserved = [
      { runId: 'b', currency: 'EUR', amount: '120.00' },
      { runId: 'a', currency: 'USD', amount: '120.00' },
    ];
    expect(unreservedCosts([cost('a', '100.00', '2026-11-24')], reserved)).toHaveLength(1);
  });
});

describe('a price by quotes', () => {
  const priceOf = quotedPrices([
    { sell: 'USD', buy: 'EUR', totalAmount: '1000.00', buyAmount: '850.00' },
    { sell: 'USD', buy: 'EUR', totalAmount: '1000.00', buyAmount: '1.00' },
  ]);

  test('is that of the newest one, with the fees', () => {
    expect(Number(priceOf('USD', 'EUR'))).toBe(0.85);
  });

  test('is the inverse of the other direction, and null without either', () => {
    expect(Number(priceOf('EUR', 'USD'))).toBeCloseTo(1 / 0.85, 9);
    expect(priceOf('EUR', 'JPY')).toBeNull();
  });
});
