import { expect, test } from 'vitest';
import { placesOf } from '../../console/reconciliation/break-places.ts';
import { aBreak } from '../server/book-records.ts';

const [RUN, PAYMENT, ORDER] = ['1', '2', '3'].map((end) => `018f2a00-0000-7000-8000-00000000000${end}`) as [
  string,
  string,
  string,
];

const hrefsOf = (parts: Parameters<typeof aBreak>[0]): (string | null)[] =>
  placesOf(aBreak({ entryIds: [], ...parts })).map(({ href }) => href);

test('a difference leads to the row of its payment, and to that of a refund of it', () => {
  const factIds = [`payment/${PAYMENT}-1`, `refund/${PAYMENT}-1`];
  const rows = factIds.map((factId) => ({ factId, runId: RUN, line: 7 }));
  expect(hrefsOf({ factIds, rows })).toEqual([`/runs/${RUN}/rows?row=7`, `/runs/${RUN}/rows?row=7`]);
});

test('a difference leads to its conversion, refund, deposit or funding', () => {
  const factIds = [`conversion/${ORDER}`, 'refund/r1', 'deposit/d1', 'funding/f1'];
  expect(hrefsOf({ account: 'A & B', factIds })).toEqual([
    `/treasury/conversions/${ORDER}`,
    '/accounts/refunds?account=A+%26+B&currency=EUR',
    '/accounts/deposits?account=A+%26+B',
    '/accounts/fundings?account=A+%26+B&currency=EUR',
  ]);
});

test('what the provider alone lists is named, and leads nowhere', () => {
  expect(placesOf(aBreak({ factIds: ['listed/payment/p9'], entryIds: [] }))).toEqual([
    { name: "payment p9, in the provider's list", href: null },
  ]);
});

test('entries lead to the history that ends with their day', () => {
  expect(hrefsOf({ entryIds: ['e1'], day: '2026-01-04' })).toEqual([
    '/accounts/history?account=default&currency=EUR&to=2026-01-04',
  ]);
});
