import { expect, test } from 'vitest';
import { isCovered, isShort, shortfallOf } from '../../console/runs/shortfall.ts';

test.each([
  ['100.00', '0', '99.50', '0.50'],
  ['100.00', '20.5', '100.00', '20.50'],
  // More digits than a JS number keeps.
  ['9007199254740993.01', '0', '9007199254740992.01', '1.00'],
  ['100.00', '0', '-5.00', '105.00'],
])('%s and %s committed to others are short with a balance of %s: %s', (needed, committed, balance, missing) => {
  expect(shortfallOf({ needed, committed, balance, dueLater: '0' })).toBe(missing);
  expect(isShort({ needed, committed, balance, dueLater: '0' })).toBe(true);
});

test('what is there is not short, to the last cent', () => {
  expect(isShort({ needed: '100.00', committed: '0.00', dueLater: '0', balance: '100.0' })).toBe(false);
  expect(isShort({ needed: '100.00', committed: '1.00', dueLater: '0', balance: '500.00' })).toBe(false);
});

test('what is reserved for later yields', () => {
  const funds = { needed: '100.00', committed: '50.00', balance: '120.00' };
  expect(shortfallOf({ ...funds, dueLater: '0' })).toBe('30.00');
  expect(shortfallOf({ ...funds, dueLater: '20.00' })).toBe('10.00');
  expect(isShort({ ...funds, dueLater: '30' })).toBe(false);
});

test('without a balance it is not known', () => {
  expect(shortfallOf({ needed: '100.00', committed: '0', dueLater: '0', balance: null })).toBeNull();
  expect(isShort({ needed: '100.00', committed: '0', dueLater: '0', balance: null })).toBe(false);
});

test('rows that are not quoted yet cost something, so that nothing is said to be enough', () => {
  const funds = { needed: '0', committed: '0.00', dueLater: '0', balance: '100.00' };
  expect([isCovered({ ...funds, unquotedRows: 0 }), isCovered({ ...funds, unquotedRows: 1 })]).toEqual([true, false]);
  expect(isCovered({ ...funds, balance: '-1.00', unquotedRows: 0 })).toBe(false);
});
