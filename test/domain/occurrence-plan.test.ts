import { expect, test } from 'vitest';
import {
  answered,
  NO_PLAN,
  type OccurrencePlan,
  quotedPairs,
  quotesToAsk,
  sweepFound,
} from '../../domain/treasury/occurrence-plan.ts';

const asked = (amount: string) => ({ sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount }) as const;
const SWEEP: OccurrencePlan = { why: null, quotes: [asked('1000.00')], sweepDecimals: 2 };
const total = (totalAmount: string) => ({ totalAmount, buyAmount: '900.00' });

test('a sweep asks for less while the fees do not fit, three times at most', () => {
  expect(quotesToAsk(SWEEP)).toBe(3);
  const second = answered(SWEEP, 0, total('1002.50'));
  expect(second.quotes[1]).toEqual(asked('997.50'));
  expect(sweepFound(answered(second, 1, total('1000.00')))).toEqual({ surplus: '1000.00', amount: '997.50' });
  const third = answered(second, 1, total('1000.01'));
  expect(sweepFound(answered(third, 2, total('1000.01')))).toEqual({ why: 'sweep_does_not_fit' });
});

test.each([
  ['without an answer', SWEEP, 'no_quote'],
  ['whose newest price has no answer', answered(SWEEP, 0, total('1002.50')), 'no_quote'],
  ['that the provider refuses', answered(SWEEP, 0, null), 'quote_refused'],
  ['without a plan', NO_PLAN, 'no_quote'],
])('a sweep %s sells nothing', (_what, plan, why) => {
  expect(sweepFound(plan)).toEqual({ why });
});

test('others ask for each of their pairs once, and go on with what they have a price for', () => {
  const plan: OccurrencePlan = { why: null, quotes: [asked('1.00'), asked('2.00')], sweepDecimals: null };
  const one = answered(plan, 1, total('2.10'));
  expect([quotesToAsk(plan), one.quotes.length]).toEqual([2, 2]);
  expect(quotedPairs(one)).toEqual([{ sell: 'USD', buy: 'EUR', totalAmount: '2.10', buyAmount: '900.00' }]);
});
