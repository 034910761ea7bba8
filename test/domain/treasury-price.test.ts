import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  basisPointsText,
  costInBasisPoints,
  middleOf,
  priceOf,
  referencePrice,
} from '../../domain/treasury/conversion-price.ts';
import { compareRatios, inverseOf, quotient, ratioOf } from '../../domain/rates/ratio.ts';
import { ownReference, referenceRatesSchema } from '../../domain/rates/reference-rates.ts';
import { aQuote } from './treasury-orders.ts';

/** Sells so many for so many, without fees. */
const selling = (sellAmount: string, buyAmount: string) => ({ sellAmount, buyAmount, totalAmount: sellAmount });
const rate = (bid: string, ask = bid) => middleOf({ bid, ask });

describe('a quotient', () => {
  const part = fc.bigInt({ min: 1n, max: 10n ** 18n });

  test('is rounded by its remainder, as whole numbers show', () => {
    fc.assert(
      fc.property(part, part, fc.integer({ min: 0, max: 4 }), (numerator, denominator, decimals) => {
        const scaled = numerator * 10n ** BigInt(decimals);
        const down = scaled / denominator;
        const up = down + (scaled % denominator === 0n ? 0n : 1n);
        const minor = (text: string) => BigInt(text.replace('.', ''));
        const of = (rounding: 'down' | 'up') =>
          minor(quotient(numerator.toString(), denominator.toString(), decimals, rounding));
        expect([of('down'), of('up')]).toEqual([down, up]);
      }),
    );
  });

  test('is not rounded twice: what lies just below a unit stays below it', () => {
    const nines = `0.${'9'.repeat(40)}`;
    expect(quotient(nines, 1, 0, 'down')).toBe('0');
    expect(quotient(`1.${'0'.repeat(40)}1`, 1, 2, 'up')).toBe('1.01');
  });

  test('has a positive denominator', () => {
    expect(() => ratioOf(1, 0)).toThrow(RangeError);
    expect(() => ratioOf(1, -1)).toThrow(RangeError);
    expect(() => inverseOf(ratioOf(0, 1))).toThrow(RangeError);
  });
});

describe('the reference price', () => {
  test('is the middle of bid and ask, if the provider publishes units bought per unit sold', () => {
    const found = referencePrice(selling('100.00', '74.00'), rate('0.7389', '0.7411'), null);
    expect(found).toMatchObject({ direction: 'direct' });
    expect(compareRatios(found.price!, ratioOf('0.74', 1))).toBe(0);
  });

  test('is its inverse, if the provider publishes units sold per unit bought', () => {
    const found = referencePrice(selling('100.00', '74.00'), rate('1.3500', '1.3520'), null);
    expect(found).toMatchObject({ direction: 'inverse' });
    expect(compareRatios(found.price!, ratioOf(1, '1.351'))).toBe(0);
  });

  test.each([
    ['both fit: the pair is near one to one', selling('100.00', '98.00'), '0.98'],
    ['neither fits', selling('100.00', '74.00'), '0.80'],
    ['it is zero', selling('100.00', '74.00'), '0'],
    ['nothing is bought', selling('100.00', '0.00'), '0.74'],
    ['nothing is sold', selling('0.00', '74.00'), '0.74'],
  ])('is unclear when %s', (_, amounts, published) => {
    expect(referencePrice(amounts, rate(published), null)).toMatchObject({ price: null, code: 'reference_unclear' });
  });

  test('is clear at exactly one to one, where both are the same', () => {
    expect(referencePrice(selling('100.00', '99.00'), rate('1'), null).price).not.toBeNull();
  });

  test.each([
    ['0.9500', '100.00', '100.00', true],
    ['0.9499', '100.00', '100.00', false],
  ])('within 5 %% means the whole 5 %% and no more (%s)', (published, sell, buy, isNear) => {
    // The inverse is further away: 1/0.95 is 5.3 % above.
    expect(referencePrice(selling(sell, buy), rate(published), null).price !== null).toBe(isNear);
  });

  describe('with a configured direction', () => {
    test('is that one, where both fit', () => {
      const amounts = selling('100.00', '98.00');
      expect(compareRatios(referencePrice(amounts, rate('0.98'), 'direct').price!, ratioOf('0.98', 1))).toBe(0);
      expect(compareRatios(referencePrice(amounts, rate('0.98'), 'inverse').price!, ratioOf(1, '0.98'))).toBe(0);
    });

    test('is that one for a price that is far too bad, so that its cost shows', () => {
      const found = referencePrice(selling('100.00', '60.00'), rate('0.74'), 'direct');
      expect(basisPointsText(costInBasisPoints(ratioOf(60, 100), found.price!))).toBe('1891.89');
    });

    test('is unclear where the quote fits the other direction, which would make any price look good', () => {
      expect(referencePrice(selling('100.00', '135.00'), rate('0.74'), 'direct').price).toBeNull();
      expect(referencePrice(selling('100.00', '74.00'), rate('0.74'), 'inverse').price).toBeNull();
    });

    test('is unclear where the quote is far better than it', () => {
      expect(referencePrice(selling('100.00', '90.00'), rate('0.74'), 'direct').price).toBeNull();
    });
  });

  test('is found in either direction for any rate far from one to one, and the cost is that of the price', () => {
    const far = fc.oneof(fc.integer({ min: 1, max: 80_000 }), fc.integer({ min: 125_000, max: 10 ** 9 }));
    fc.assert(
      fc.property(far, fc.integer({ min: -300, max: 300 }), fc.boolean(), (hundredThousandths, bps, isInverse) => {
        const middle = ratioOf(hundredThousandths, 100_000);
        const amounts = selling('1000000000', quotient(hundredThousandths * (10_000 - bps), 1, 0, 'down'));
        const found = referencePrice(amounts, isInverse ? inverseOf(middle) : middle, null);
        expect(found).toMatchObject({ direction: isInverse ? 'inverse' : 'direct' });
        const cost = costInBasisPoints(priceOf(amounts), found.price!);
        expect(compareRatios(cost, ratioOf(bps, 1))).toBe(0);
      }),
    );
  });
});

describe('the cost', () => {
  test('has the fees in it, and does not use the rate of the provider', () => {
    // 9,186.00 / 10,025.00 = 0.916309…, against 0.92.
    expect(basisPointsText(costInBasisPoints(priceOf(aQuote()), ratioOf('0.92', 1)))).toBe('40.12');
  });

  test('is negative for a price that is better than the reference', () => {
    expect(basisPointsText(costInBasisPoints(ratioOf('0.93', 1), ratioOf('0.92', 1)))).toBe('-108.70');
  });
});

describe('rates of one’s own', () => {
  const ecb = referenceRatesSchema.parse({
    source: 'ECB',
    date: '2026-11-20',
    base: 'EUR',
    rates: { USD: '1.0850', SGD: '1.4500' },
  });
  const from = (sell: string, buy: string, today = '2026-11-23') => ownReference(ecb, { sell, buy }, today);
  const priceFrom = (sell: string, buy: string) => ownReference(ecb, { sell, buy }, '2026-11-23').middle!;

  test('are units bought per unit sold, in either direction and across the base', () => {
    expect(compareRatios(priceFrom('EUR', 'USD'), ratioOf('1.085', 1))).toBe(0);
    expect(compareRatios(priceFrom('USD', 'EUR'), ratioOf(1, '1.085'))).toBe(0);
    expect(compareRatios(priceFrom('USD', 'SGD'), ratioOf('1.45', '1.085'))).toBe(0);
  });

  test('are none for a currency that is missing, and when they are old or of the future', () => {
    expect(from('USD', 'JPY')).toEqual({ middle: null, says: 'the rates of ECB have no JPY' });
    expect(from('USD', 'EUR', '2026-11-25').middle).not.toBeNull();
    expect(from('USD', 'EUR', '2026-11-26')).toEqual({ middle: null, says: 'the rates of ECB are of 2026-11-20' });
    expect(from('USD', 'EUR', '2026-11-18').middle).toBeNull();
  });

  test.each(['1,0850', '-1', '0.000', '1e3', 1.085])('are refused in another form: %s', (wrong) => {
    const file = { source: 'house', date: '2026-11-20', base: 'EUR', rates: { USD: wrong } };
    expect(referenceRatesSchema.safeParse(file).success).toBe(false);
  });
});
