import { expect, test } from 'vitest';
import { afterCancellation, afterStop, beforeCancellation, beforeStop } from '../../console/runs/stop-words.ts';

const ROWS = { funded: 1, processing: 2, created: 1, ready: 1_200, quoted: 1, paid: 7, failed: 3 };
const STOP_ID = '018f2a00-0000-7000-8000-0000000000d1';

test('before a stop, it is said in numbers what will still finish and what will not', () => {
  expect(beforeStop(ROWS)).toEqual([
    'Nothing more is sent from now on.',
    '3 payments whose money was sent will still finish.',
    '1 payment is with the provider, and will not be funded, unless the request for it has left already.',
    '1,201 rows will not be paid while the run is stopped.',
  ]);
  expect(beforeStop({ paid: 7 })).toEqual(['Nothing more is sent from now on.']);
});

test('after a stop, what the server has counted is said', () => {
  expect(afterStop({ stopId: STOP_ID, counts: { sent: 4, created: 2, notSent: 9, underWay: 1 } })).toEqual([
    '4 payments sent already: each of them is confirmed, so do not pay it by other means.',
    '9 rows will not be paid while the run is stopped.',
    '2 payments are with the provider, and will not be funded.',
    '1 request is on the way, or being looked up.',
  ]);
  expect(afterStop({ stopId: STOP_ID, counts: null })[0]).toContain('could not be counted');
});

test('before a cancellation, payments with the provider are said to become unknown', () => {
  expect(beforeCancellation(ROWS)).toEqual([
    '1,201 rows are ended, and never paid.',
    '3 payments whose money was sent will still finish.',
    '1 payment is with the provider and not funded: how they end is unknown until the provider has cancelled them.',
    'This cannot be undone.',
  ]);
});

test('after a cancellation, it is said which rows must not be submitted again', () => {
  const counts = { sent: 4, created: 0, notSent: 0, underWay: 1 };
  expect(afterCancellation({ cancelled: 12, counts }, { cancelled: 10, unknown: 2 })).toEqual([
    '10 rows will not be paid, and may be submitted again.',
    '4 payments sent already: do not submit them again.',
    '1 row is looked up first, and then ended.',
    expect.stringMatching(/^2 rows are with the provider, or may be, .*: do not submit them again\./),
  ]);
  expect(afterCancellation({ cancelled: 12, counts }, null)[0]).toMatch(/^12 rows ended\. See the page of the run/);
});
