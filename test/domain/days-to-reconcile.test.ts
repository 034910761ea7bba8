import { expect, test } from 'vitest';
import { daysToReconcile } from '../../domain/reconciliation/days-to-reconcile.ts';

const known = {
  first: '2026-03-02',
  last: null,
  lastClosed: null,
  outdated: null,
  lastSeen: '2026-03-05',
  fromDay: null,
  toDay: null,
};

test.each([
  ['all days of the history at first', {}, ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']],
  ['those that were not yet', { last: '2026-03-03' }, ['2026-03-04', '2026-03-05']],
  ['none twice', { last: '2026-03-05' }, []],
  [
    'those asked for, and all before them',
    { toDay: '2026-03-03', fromDay: '2026-03-03' },
    ['2026-03-02', '2026-03-03'],
  ],
  [
    'those after one that is done again',
    { last: '2026-03-05', fromDay: '2026-03-04', toDay: '2026-03-04' },
    ['2026-03-04', '2026-03-05'],
  ],
  [
    'no closed one',
    { last: '2026-03-04', lastClosed: '2026-03-03', fromDay: '2026-03-01' },
    ['2026-03-04', '2026-03-05'],
  ],
  [
    'first those that were left when earlier ones were done again, then those that were not yet',
    { last: '2026-03-04', outdated: '2026-03-03' },
    ['2026-03-03', '2026-03-04', '2026-03-05'],
  ],
  [
    'those that were left, whatever later ones are asked for',
    { last: '2026-03-05', outdated: '2026-03-03', fromDay: '2026-03-05', toDay: '2026-03-05' },
    ['2026-03-03', '2026-03-04', '2026-03-05'],
  ],
  ['none that has not ended', { last: '2026-03-05', toDay: '2026-03-09' }, []],
])('%s', (_, more, days) => {
  expect(daysToReconcile({ ...known, ...more })).toEqual(days);
});

test('at most two months at once', () => {
  const days = daysToReconcile({ ...known, first: '2025-01-01' });
  expect(days).toHaveLength(62);
  expect(days[0]).toBe('2025-01-01');
});

test('more than two months are done again at several times', () => {
  const again = { ...known, first: '2026-01-01', last: '2026-04-30', lastSeen: '2026-04-30' };
  const asked = daysToReconcile({ ...again, fromDay: '2026-01-01' });
  expect(asked.at(-1)).toBe('2026-03-03');
  // The database then has the next one as outdated, and no entries of any later day.
  const next = daysToReconcile({ ...again, lastSeen: '2026-05-01', outdated: '2026-03-04' });
  expect([next[0], next.at(-1)]).toEqual(['2026-03-04', '2026-05-01']);
});
