import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../console/elements/decimals.ts';
import { comparedAmounts, isOtherThanQuoted } from '../../console/treasury/order-amounts.ts';

describe('the difference of two amounts', () => {
  test.each([
    ['1003.5', '1002.50', '1.00'],
    ['1002.50', '1003.5', '-1.00'],
    ['910', '910.00', '0.00'],
    ['7', '9', '-2'],
    ['-0.05', '0.05', '-0.10'],
    // A JavaScript number has neither of them.
    ['90071992547409.9301', '90071992547409.9300', '0.0001'],
    ['123456789012345678901234567890.01', '123456789012345678901234567890.00', '0.01'],
  ])('of %s and %s is %s', (one, other, difference) => {
    expect(differenceOf(one, other)).toBe(difference);
  });

  test.each(['', '1e21', '1,000.00', 'none'])('of "%s" is not known', (text) => {
    expect(differenceOf(text, '1.00')).toBeNull();
    expect(differenceOf('1.00', text)).toBeNull();
  });
});

describe('the amounts of a conversion', () => {
  const quote = { sellAmount: '1000.00', buyAmount: '910.00', totalAmount: '1002.50', totalFees: '2.50' };
  const currencies = { sellCurrency: 'USD', buyCurrency: 'EUR' };
  const othersOf = (providerAmounts: Parameters<typeof comparedAmounts>[0]['providerAmounts']) =>
    comparedAmounts({ ...currencies, quote: { ...quote, rate: '0.91', quotedAt: null }, providerAmounts })
      .filter(isOtherThanQuoted)
      .map(({ shown, difference, currency }) => [shown, difference, currency]);

  test('differ from the quote by their values, not by how many decimals they have', () => {
    expect(othersOf({ sellAmount: '1000', buyAmount: '910.0', totalAmount: '1003.5' })).toEqual([
      ['1003.5', '1.00', 'USD'],
    ]);
    expect(othersOf({ sellAmount: '1000.00', buyAmount: '909.99', totalAmount: '1002.50' })).toEqual([
      ['909.99', '-0.01', 'EUR'],
    ]);
  });

  test('are not those of the quote where they are no plain amounts', () => {
    expect(othersOf({ sellAmount: null, buyAmount: null, totalAmount: '1e3' })).toEqual([['1e3', null, 'USD']]);
  });

  test('that the provider does not show are none', () => {
    expect(othersOf(null)).toEqual([]);
    expect(comparedAmounts({ ...currencies, quote: null, providerAmounts: null })).toEqual([]);
  });
});
