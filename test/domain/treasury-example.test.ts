import { expect, test } from 'vitest';
import { conversionGuards } from '../../domain/treasury/conversion-guards.ts';
import { exchangeCosts } from '../../domain/rates/exchange-costs.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';
import { tableUnder } from '../helpers/document-tables.ts';
import { EXAMPLE } from './treasury-example.ts';

test('the example of docs/treasury.md is what the guards say', () => {
  const { findings, decision } = conversionGuards(EXAMPLE);
  const shown = findings.map(({ guard, verdict, says }) => ({
    guard: guard.replaceAll('_', ' '),
    verdict: verdict.replaceAll('_', ' '),
    'what it says': says,
  }));
  expect(tableUnder('treasury.md', 'A worked order')).toEqual(shown);
  expect(decision).toBe('commit');
});

test('one more order of the same size on the day of the example is skipped, and without its approval it waits', () => {
  expect(conversionGuards({ ...EXAMPLE, committedToday: '4002.50' })).toMatchObject({ code: 'daily_cap_reached' });
  expect(conversionGuards({ ...EXAMPLE, approvedUpTo: null })).toMatchObject({ decision: 'ask_for_approval' });
});

test('what the example has cost', () => {
  const reference = ratioOf('0.92', '1');
  expect(exchangeCosts({ ...EXAMPLE.quote, reference }, 2)).toEqual({
    total: '1002.50',
    fees: '2.50',
    exchange: '2.50',
  });
});
