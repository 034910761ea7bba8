import { expect, test } from 'vitest';
import { guardReport } from '../../activities/treasury/commit-conversion.ts';
import { EXAMPLE } from '../domain/treasury-example.ts';

const { order, quote, nowMs, free, openOrders } = EXAMPLE;

function reportWith(readAtMs: number, middle: { numerator: string; denominator: string } | null) {
  return guardReport({
    record: {
      terms: order,
      approvedUpTo: '1050',
      reference: { source: 'the house', middle, isPrice: true, readAtMs },
    },
    quote: { ...quote, rate: '0.9177' },
    limits: {
      ...{ maxOrder: null, dailyCap: '5000.00', approvalAbove: '500.00', secondFunding: 'payrun', direction: null },
      day: '2026-01-31',
    },
    committedToday: '3000.00',
    facts: { free, openOrders, nowMs, isApproved: true },
  });
}

const MIDDLE = { numerator: '0.92', denominator: '1' };

test('a quote is compared with a rate that was read just before it', () => {
  expect(reportWith(nowMs - 1_000, MIDDLE)).toMatchObject({ decision: 'commit' });
});

test.each([
  ['a rate from before an earlier quote', nowMs - 600_001, MIDDLE],
  ['no rate', nowMs, null],
])('%s compares with nothing: an order with a maximum cost is held', (_what, readAtMs, middle) => {
  expect(reportWith(readAtMs, middle)).toMatchObject({ decision: 'hold', code: 'reference_unclear' });
});
