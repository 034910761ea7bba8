import { expect, test } from 'vitest';
import { freeBeside, moneyOfPlaced, type PlacedOrder } from '../../domain/treasury/placed-orders.ts';

const order = (differences: Partial<PlacedOrder>): PlacedOrder => ({
  ...{ sell: 'USD', buy: 'EUR', fixedSide: 'buy', amount: '10000.00', cap: '20000.00', quoted: null },
  ...differences,
});

const quoted = { sold: '11200.00', bought: '10000.00' };

test.each([
  ['of its quote, once it has one', { quoted }, quoted],
  ['that is fixed and is sold, with nothing bought', { fixedSide: 'sell' }, { sold: '10000.00', bought: '0' }],
  ['that it buys, and an estimate of what it sells', {}, { sold: '11111.12', bought: '10000.00' }],
  ['that it may sell at most', { cap: '11000.00' }, { sold: '11000.00', bought: '10000.00' }],
  ['that it may sell, if the pair has no price', { sell: 'GBP' }, { sold: '20000.00', bought: '10000.00' }],
  ['estimated, if nothing limits it', { cap: null }, { sold: '11111.12', bought: '10000.00' }],
] as const)('an order counts with the money %s', (_, differences, money) => {
  const priceOf = (sell: string): string | null => (sell === 'USD' ? '0.9' : null);
  expect(moneyOfPlaced(order(differences), priceOf, 2)).toEqual(money);
});

test.each([
  ['is there', '300.00', '100.00', '200'],
  ['is there and more', '300.00', '1000.00', '0'],
  ['is not there, as less than nothing is', '-50.00', '100.00', '-50.00'],
])('an order that sells what %s', (_, free, sold, left) => {
  expect(freeBeside(sold, free)).toBe(left);
});
