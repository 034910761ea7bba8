import { expect, test } from 'vitest';
import { formatAmount } from '../../console/elements/formats.ts';

test.each([
  ['1234567.50', '1,234,567.50'],
  ['500000000', '500,000,000'],
  // Three decimals are those of a currency.
  ['1.250', '1.250'],
  ['-192898.2400', '-192,898.24'],
  ['0.0000', '0.00'],
  ['21034.4905', '21,034.4905'],
  ['0.123450', '0.12345'],
  ['123456789012345678901234.0100', '123,456,789,012,345,678,901,234.01'],
  ['not known', 'not known'],
])('%s is shown as %s', (amount, shown) => {
  expect(formatAmount(amount)).toBe(shown);
});
