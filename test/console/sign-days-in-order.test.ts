import { expect, test } from 'vitest';
import { signDaysInOrder } from '../../console/reconciliation/sign-days-in-order.ts';
import { aBookDay } from '../server/book-records.ts';

const DAYS = ['2026-01-04', '2026-01-05', '2026-01-06'].map((day) => aBookDay({ day, contentHash: `hash of ${day}` }));

test('several days are signed in their order, each with the content that was shown', async () => {
  const asked: unknown[] = [];
  const outcome = await signDaysInOrder(DAYS, (signature) => {
    asked.push(signature);
    return Promise.resolve({ state: signature.day === '2026-01-04' ? 'closed' : 'signed' });
  });
  expect(outcome).toEqual({ signed: 3, closed: 1, stopped: null });
  expect(asked).toEqual(DAYS.map(({ account, day, contentHash }) => ({ account, day, contentHash })));
});

test('the first day that is refused ends it: no day after it is tried', async () => {
  const asked: string[] = [];
  const refusal = new Error('the books are not those that were seen');
  const outcome = await signDaysInOrder(DAYS, ({ day }) => {
    asked.push(day);
    return day === '2026-01-05' ? Promise.reject(refusal) : Promise.resolve({ state: 'signed' });
  });
  expect(outcome).toEqual({ signed: 1, closed: 0, stopped: { day: '2026-01-05', error: refusal } });
  expect(asked).toEqual(['2026-01-04', '2026-01-05']);
});
