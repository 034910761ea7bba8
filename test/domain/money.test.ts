import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  parseAmount,
  sumAmounts,
  withoutFloatNoise,
} from '../../domain/money.ts';

const parsed = (text: string, decimalPlaces = 2) => {
  const outcome = parseAmount(text, decimalPlaces);
  return 'amount' in outcome ? outcome.amount : outcome.code;
};

/** Any amount of a currency with that many decimals, as minor units. */
const minorUnits = fc.bigInt({ min: 1n, max: 10n ** 12n });
const decimalPlaces = fc.integer({ min: 0, max: 3 });
const amountOf = (minor: bigint, decimals: number) => {
  const digits = minor.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

describe('an amount as written', () => {
  test.each([
    ['1.25E+03', 'scientific_notation'],
    ['1,25E+03', 'scientific_notation'],
    ['1e3', 'scientific_notation'],
    ['1,250.00', 'thousands_separator'],
    ['1.250,00', 'thousands_separator'],
    ['1 250.00', 'thousands_separator'],
    ["1'250", 'thousands_separator'],
    ['1.250.000', 'thousands_separator'],
    ['12,50', 'decimal_comma'],
    ['-5.00', 'amount_signed'],
    ['+5.00', 'amount_signed'],
    ['(5.00)', 'amount_signed'],
    ['007.50', 'leading_zero'],
    ['.50', 'missing_zero'],
    ['5.', 'amount_form'],
    ['$5', 'amount_form'],
    ['٥', 'amount_form'],
    ['NaN', 'amount_form'],
    ['0x10', 'amount_form'],
    ['1.005', 'too_many_decimals'],
    ['0', 'amount_zero'],
    ['0.00', 'amount_zero'],
    ['12345678901234.00', 'amount_too_large'],
  ])('%s is refused', (text, code) => {
    expect(parsed(text)).toBe(code);
  });

  test.each(['-399.90', '+5.00', '(12.00)', '1.234', '1.0055'])(
    '%s is refused without suggesting another amount',
    (text) => {
      const refused = parseAmount(text, 2);
      if ('amount' in refused) throw new Error('it was read');
      expect(`${refused.problem} ${refused.fix}`).not.toMatch(/round|without|remove|\d\.\d/i);
      expect(refused.fix).toContain('look at its document');
    },
  );

  test('the message says if an amount may be a credit note or have a thousands separator', () => {
    expect(parseAmount('-399.90', 2)).toMatchObject({ problem: expect.stringContaining('credit note') as string });
    expect(parseAmount('1.234', 2)).toMatchObject({ problem: expect.stringContaining('thousands') as string });
    expect(parseAmount('1.2345', 2)).toMatchObject({ problem: expect.not.stringContaining('thousands') as string });
  });

  test('the result has the decimal places of the currency', () => {
    expect(parsed('7.5')).toBe('7.50');
    expect(parsed('100', 0)).toBe('100');
    expect(parsed('100.0', 0)).toBe('too_many_decimals');
    expect(parsed('1.250', 3)).toBe('1.250');
  });

  test('every exact amount is unchanged', () => {
    fc.assert(
      fc.property(minorUnits, decimalPlaces, (minor, decimals) => {
        const text = amountOf(minor, decimals);
        expect(parsed(text, decimals)).toBe(text);
      }),
      { seed: 11 },
    );
  });

  test('any text is either refused or the same number', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...Array.from("0123456789.,-+eE '")), maxLength: 12 }),
      fc.string({ maxLength: 8 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const outcome = parseAmount(text, 2);
        if ('amount' in outcome) {
          expect(text).toMatch(/^\d+(?:\.\d{1,2})?$/);
          expect(new Big(outcome.amount).eq(text)).toBe(true);
        } else {
          expect(outcome.fix).not.toBe('');
        }
      }),
      { seed: 12, numRuns: 500 },
    );
  });
});

describe('arithmetic', () => {
  test('sums equal those of the minor units, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(minorUnits, { maxLength: 20 }), decimalPlaces, (minors, decimals) => {
        const amounts = minors.map((minor) => amountOf(minor, decimals));
        const total = minors.reduce((sum, minor) => sum + minor, 0n);
        expect(compareAmounts(sumAmounts(amounts), amountOf(total, decimals))).toBe(0);
        expect(sumAmounts(amounts.toReversed())).toBe(sumAmounts(amounts));
      }),
      { seed: 13 },
    );
  });

  test('sums that floats get wrong are exact', () => {
    expect(addAmounts('0.10', '0.20')).toBe('0.30');
    expect(sumAmounts([])).toBe('0');
  });

  test('trailing zeros do not make amounts different', () => {
    expect(compareAmounts('1.5', '1.50')).toBe(0);
    expect(compareAmounts('9', '10')).toBe(-1);
    expect(compareAmounts('0.3', '0.29')).toBe(1);
  });
});

describe('formatting', () => {
  test('an amount has the decimal places of its currency', () => {
    expect(formatAmount('10.1', 2)).toBe('10.10');
    expect(formatAmount('1e3', 0)).toBe('1000');
  });

  test("trap 36: an amount with a float error is rounded to the currency's decimal places, of which yen have none", () => {
    expect(formatAmount('0.30000000000000004', 2, 'half_up')).toBe('0.30');
    expect(formatAmount('1.1500000000000001', 3, 'half_up')).toBe('1.150');
    expect(formatAmount('15000.999999999998', 0, 'half_up')).toBe('15001');
    expect(parsed('15000.00', 0)).toBe('too_many_decimals');
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 9n }), decimalPlaces, fc.nat(4), (minor, decimals, parts) => {
        const exact = amountOf(minor, decimals);
        // The same amount as a sum of floats, as a provider may have computed it.
        const share = Number(exact) / (parts + 1);
        const inexact = Array.from({ length: parts + 1 }, () => share).reduce((sum, each) => sum + each, 0);
        expect(formatAmount(String(inexact), decimals, 'half_up')).toBe(exact);
      }),
      { seed: 36 },
    );
  });

  test('digits are dropped only with half_up', () => {
    expect(() => formatAmount('10.005', 2)).toThrow(RangeError);
    expect(formatAmount('10.005', 2, 'half_up')).toBe('10.01');
    expect(formatAmount('10.100000000000001', 2, 'half_up')).toBe('10.10');
  });
});

describe('an amount that others computed with floats', () => {
  it.each([
    ['0.30000000000000004', '0.3'],
    ['99.99999999999999', '100'],
    ['-1234567.8900000001', '-1234567.89'],
    ['0.30', '0.30'],
    ['5000000', '5000000'],
  ])('%s is %s', (amount, plain) => {
    expect(withoutFloatNoise(amount)).toBe(plain);
  });

  it('keeps every amount that a payment can have', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (cents) => {
        const computed = String(cents / 100 + 0.1 - 0.1);
        fc.pre(!computed.includes('e'));
        expect(compareAmounts(withoutFloatNoise(computed), new Big(cents).div(100).toFixed(2))).toBe(0);
      }),
    );
  });
});
