import { expect, test } from 'vitest';
import { isZero, sumOf, withDecimals } from '../../console/elements/decimals.ts';

test.each([
  [[], '0'],
  [['1399', '-98.5'], '1300.5'],
  [['0.1', '0.2'], '0.3'],
  [['90071992547409.9301', '0.0001'], '90071992547409.9302'],
  [['-1.50', '1.5'], '0.00'],
] as const)('the sum of %j is %s', (amounts, sum) => {
  expect(sumOf(amounts)).toBe(sum);
});

test('a sum with something that is no plain decimal is not known', () => {
  expect(sumOf(['1.00', '1e3'])).toBeNull();
});

test.each([
  ['-30', 2, '-30.00'],
  ['0.005', 2, '0.005'],
  ['1,000', 2, null],
])('%s with %d decimals at least is %s', (amount, least, written) => {
  expect(withDecimals(amount, least)).toBe(written);
});

test('zero is zero, with however many decimals', () => {
  expect(['0', '0.00', '-0.0', '0.01', 'none'].map(isZero)).toEqual([true, true, true, false, false]);
});
