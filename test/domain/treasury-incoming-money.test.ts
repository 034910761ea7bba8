import { expect, test } from 'vitest';
import { type BoughtMoney, notYetCredited, type UnexplainedCredit } from '../../domain/treasury/incoming-money.ts';

/** Bought money is on its way until its credit is in the history. */

const bought = (amount: string, creditableSinceMs: number | null, currency = 'EUR'): BoughtMoney => ({
  ...{ amount, creditableSinceMs, currency, isExpected: true },
});
const held = (amount: string, creditableSinceMs: number): BoughtMoney => ({
  ...bought(amount, creditableSinceMs),
  isExpected: false,
});
const credit = (amount: string, seenAtMs: number, currency = 'EUR'): UnexplainedCredit => ({
  ...{ amount, seenAtMs, currency },
});

test('what was credited since it was to be funded is not on its way', () => {
  expect(notYetCredited([bought('100', 10), bought('200', 10)], [credit('100', 11)])).toEqual([bought('200', 10)]);
});

test.each([
  ['before it was to be funded', bought('100', 10), credit('100', 10)],
  ['in another amount', bought('100', 10), credit('99', 11)],
  ['in another currency', bought('100', 10), credit('100', 11, 'GBP')],
  ['of an order that was not to be funded yet', bought('100', null), credit('100', 11)],
])('a credit %s is not its own', (_, order, other) => {
  expect(notYetCredited([order], [other])).toEqual([order]);
});

test('each credit is of one order', () => {
  const orders = [bought('100', 10), bought('100', 20)];
  expect(notYetCredited(orders, [credit('100', 30)])).toEqual([bought('100', 10)]);
  expect(notYetCredited(orders, [credit('100', 30), credit('100', 15)])).toEqual([]);
  expect(notYetCredited(orders, [credit('100', 15), credit('100', 15)])).toEqual([bought('100', 20)]);
});

test('an expected order has a credit before one that is held', () => {
  const orders = [held('100', 20), bought('100', 10)];
  expect(notYetCredited(orders, [credit('100', 30)])).toEqual([held('100', 20)]);
  expect(notYetCredited(orders, [credit('100', 30), credit('100', 15)])).toEqual([]);
});
