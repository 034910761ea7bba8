import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sweepAmount, sweepQuote, topUpAmount } from '../../domain/treasury/conversion-amount.ts';
import {
  conversionDifferences,
  feeForm,
  isQuoteFresh,
  quoteDifferences,
  type ShownConversion,
} from '../../domain/treasury/conversion-quote.ts';
import { decimalsWarnings, listedDecimals } from '../../domain/treasury/currency-decimals.ts';
import { aQuote } from './treasury-orders.ts';

const REQUEST = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '10000.00' } as const;

describe('a quote', () => {
  test('is for what was asked', () => {
    expect(quoteDifferences(REQUEST, aQuote())).toEqual([]);
    expect(quoteDifferences(REQUEST, aQuote({ fixedSide: null, sellAmount: '10000' }))).toEqual([]);
  });

  test.each([
    [{ sellCurrency: 'EUR' }, ['sellCurrency']],
    [{ buyCurrency: 'GBP' }, ['buyCurrency']],
    [{ fixedSide: 'buy' }, ['fixedSide']],
    [{ sellAmount: '9999.99' }, ['sellAmount']],
    [{ buyAmount: '0.00' }, ['buyAmount']],
    [{ totalAmount: '-1.00' }, ['totalAmount']],
  ])('differs by %j', (difference, fields) => {
    expect(quoteDifferences(REQUEST, aQuote(difference))).toEqual(fields);
  });

  test('with a fixed buy side has that amount', () => {
    const request = { ...REQUEST, fixedSide: 'buy', amount: '9186.00' } as const;
    expect(quoteDifferences(request, aQuote({ fixedSide: 'buy' }))).toEqual([]);
    expect(quoteDifferences(request, aQuote({ fixedSide: 'buy', buyAmount: '9186.01' }))).toEqual(['buyAmount']);
  });

  test.each([
    ['10025.00', '25.00', 'added'],
    ['10000.00', '25.00', 'included'],
    ['10000.00', '0.00', 'included'],
    ['10000', null, 'included'],
    ['10025.00', null, null],
    ['10024.99', '25.00', null],
    ['9975.00', '25.00', null],
    ['9990.00', '-10.00', null],
  ] as const)('of 10,000.00 with the total %s and fees of %s: %s', (totalAmount, totalFees, form) => {
    expect(feeForm(aQuote({ totalAmount, totalFees }))).toBe(form);
  });

  test('is used within ten seconds, and not when the clock was changed', () => {
    expect(isQuoteFresh(1_000, 11_000)).toBe(true);
    expect(isQuoteFresh(1_000, 11_001)).toBe(false);
    expect(isQuoteFresh(1_000, 999)).toBe(false);
  });
});

describe('a created conversion', () => {
  const quote = aQuote();
  const shown = (differences: Partial<ShownConversion> = {}): ShownConversion => ({
    ...quote,
    referenceId: 'order-1-1',
    ...differences,
  });
  const differencesOf = (differences: Partial<ShownConversion>, isOurAnswer = true) =>
    conversionDifferences({ quote, referenceId: 'order-1-1' }, shown(differences), isOurAnswer);

  test('is the quoted one', () => {
    expect(differencesOf({})).toEqual([]);
    expect(differencesOf({ sellCurrency: null, fixedSide: null, totalFees: null, referenceId: null })).toEqual([]);
    expect(differencesOf({ totalAmount: '10025' })).toEqual([]);
  });

  test.each([
    [{ totalAmount: '10025.01' }, ['totalAmount']],
    [{ totalAmount: null }, ['totalAmount']],
    [{ buyAmount: '9185.99' }, ['buyAmount']],
    [{ sellAmount: '9999.00' }, ['sellAmount']],
    [{ buyCurrency: 'GBP' }, ['buyCurrency']],
    [{ referenceId: 'order-2-1' }, ['referenceId']],
  ])('differs by %j', (difference, fields) => {
    expect(differencesOf(difference)).toEqual(fields);
  });

  test('that was looked up has to show our reference', () => {
    expect(differencesOf({ referenceId: null }, false)).toEqual(['referenceId']);
  });
});

/** Money of a currency with that many decimals, below zero as well. */
const money = (decimals: number, min = -(10 ** 9)) =>
  fc.integer({ min, max: 10 ** 9 }).map((minor) => new Big(minor).div(new Big(10).pow(decimals)).toFixed(decimals));

describe('a top-up', () => {
  test('buys the least amount that reaches the level', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), money(4), money(4), money(4), (decimals, level, free, expected) => {
        const amount = topUpAmount({ level, free, expected }, decimals);
        const missing = new Big(level).minus(free).minus(expected);
        if (amount === null) {
          expect(missing.lte(0)).toBe(true);
          return;
        }
        expect(amount.split('.')[1]?.length ?? 0).toBe(decimals);
        expect(missing.lte(amount)).toBe(true);
        expect(missing.gt(new Big(amount).minus(new Big(10).pow(-decimals)))).toBe(true);
      }),
    );
  });
});

describe('a sweep', () => {
  test('sells nothing without a whole minor unit above the floor', () => {
    expect(sweepAmount({ free: '100.00', floor: '100.00' }, 2)).toBeNull();
    expect(sweepAmount({ free: '99.00', floor: '100.00' }, 2)).toBeNull();
    expect(sweepAmount({ free: '100.9', floor: '100' }, 0)).toBeNull();
    expect(sweepAmount({ free: '101.9', floor: '100' }, 0)).toBe('1');
  });

  test('asks for surplus² / total after its first quote', () => {
    const second = sweepQuote({ surplus: '1000.00', asked: '1000.00', total: '1002.50', quotes: 1 }, 2);
    expect(second).toEqual({ kind: 'ask_again', amount: '997.50' });
  });

  test('fits when the total is exactly the surplus', () => {
    expect(sweepQuote({ surplus: '1000.00', asked: '997.50', total: '1000.00', quotes: 2 }, 2)).toEqual({
      kind: 'fits',
    });
  });

  test('never ends with less than the floor, nor asks for more than before, whatever the fees', () => {
    const fees = fc.record({ fixed: money(2, 0), percent: fc.integer({ min: 0, max: 60 }) });
    fc.assert(
      fc.property(money(2, 0), fees, (surplusText, { fixed, percent }) => {
        const surplus = sweepAmount({ free: surplusText, floor: '0.00' }, 2);
        if (surplus === null) return;
        let asked = surplus;
        for (let quotes = 1; ; quotes++) {
          expect(quotes).toBeLessThanOrEqual(3);
          const total = new Big(asked)
            .times(100 + percent)
            .div(100)
            .round(2, Big.roundHalfUp)
            .plus(fixed)
            .toFixed(2);
          const next = sweepQuote({ surplus, asked, total, quotes }, 2);
          expect(next.kind === 'fits').toBe(new Big(total).lte(surplus));
          if (next.kind !== 'ask_again') return;
          expect(new Big(next.amount).lt(asked) && new Big(next.amount).gt(0)).toBe(true);
          asked = next.amount;
        }
      }),
    );
  });

  test('fits with its second quote where fees are a percentage', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 10 ** 9 }), fc.integer({ min: 1, max: 500 }), (minor, bps) => {
        const surplus = new Big(minor).div(100).toFixed(2);
        const totalOf = (asked: string) =>
          new Big(asked)
            .times(10_000 + bps)
            .div(10_000)
            .round(2, Big.roundDown)
            .toFixed(2);
        const next = sweepQuote({ surplus, asked: surplus, total: totalOf(surplus), quotes: 1 }, 2);
        if (next.kind !== 'ask_again') return;
        const again = { surplus, asked: next.amount, total: totalOf(next.amount), quotes: 2 };
        expect(sweepQuote(again, 2).kind).not.toBe('does_not_fit');
      }),
    );
  });
});

describe('decimals', () => {
  const listed = new Map([
    ['EUR', { decimalPlaces: 2 }],
    ['JPY', { decimalPlaces: 2 }],
    ['KWD', { decimalPlaces: 3 }],
    ['IDR', { decimalPlaces: 0 }],
  ]);

  test('are those of the provider, also where ISO 4217 has others, which is a warning', () => {
    expect(listedDecimals('JPY', listed)).toBe(2);
    expect(decimalsWarnings(['EUR', 'JPY', 'KWD', 'IDR', 'IDR', 'USD'], listed)).toEqual([
      'the provider lists JPY with 2 decimals, and ISO 4217 has 0: amounts have 2',
      'the provider lists IDR with 0 decimals, and ISO 4217 has 2: amounts have 0',
    ]);
  });

  test('are unknown for a currency that the provider does not list', () => {
    expect(listedDecimals('USD', listed)).toBeNull();
  });
});
