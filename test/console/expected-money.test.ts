import { expect, test } from 'vitest';
import { cashQuery } from '../../api/treasury/cash.ts';
import { expectedMoneyIn, textOfExpectedMoney } from '../../console/treasury/expected-money.ts';

test('expected money is written into the address as the server reads it', () => {
  const expected = [
    { currency: 'EUR', amount: '50000.00', on: '2026-12-01' },
    { currency: 'JPY', amount: '1200000', on: '2026-12-02' },
  ];
  const text = textOfExpectedMoney(expected);
  expect(cashQuery.parse({ expect: text }).expect).toEqual(expected);
  expect(expectedMoneyIn(text)).toEqual(expected);
  expect([expectedMoneyIn(undefined), textOfExpectedMoney([])]).toEqual([[], '']);
});
