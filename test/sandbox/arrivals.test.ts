import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Arrivals } from '../../sandbox/core/rate-limiter.ts';

const noon = Date.UTC(2026, 0, 1, 12);

test('five requests in a second are let in, the sixth is not, and one a second after the first is', () => {
  const arrivals = new Arrivals(5, 0);
  const turnedAway = [0, 1, 2, 3, 4, 999.999, 1000, 1000.5].map((atMs) => arrivals.arrive(atMs, noon) !== undefined);
  expect(turnedAway).toEqual([false, false, false, false, false, true, false, true]);
  expect(arrivals.rejectedByLimit).toBe(2);
});

test('what is turned away does not count into the window', () => {
  const arrivals = new Arrivals(5, 0);
  for (let atMs = 0; atMs < 1000; atMs += 10) arrivals.arrive(atMs, noon);
  expect(arrivals.rejectedByLimit).toBe(95);
  expect(arrivals.arrive(1000, noon)).toBeUndefined();
});

test('no window of a second ever holds more accepted arrivals than the limit, and none is turned away without cause', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 7 }),
      (gapsMs, limit) => {
        const arrivals = new Arrivals(limit, 0);
        const accepted: number[] = [];
        let atMs = 0;
        let all = 0;
        for (const gapMs of gapsMs) {
          atMs += gapMs;
          all += 1;
          const inWindow = accepted.filter((time) => atMs - time < 1000).length;
          const letIn = arrivals.arrive(atMs, noon) === undefined;
          if (letIn !== inWindow < limit) return false;
          if (letIn) accepted.push(atMs);
        }
        return accepted.length + arrivals.rejectedByLimit === all;
      },
    ),
    { seed: 2, numRuns: 100 },
  );
});

test('the most in any second counts accepted and rejected arrivals', () => {
  const arrivals = new Arrivals(2, 0);
  for (const atMs of [0, 500, 900, 999, 1000, 5000, 5999]) arrivals.arrive(atMs, noon);
  expect(arrivals.mostInAnySecond).toBe(4);
});

test('the most in any second stays right over many thousands of arrivals', () => {
  const arrivals = new Arrivals(0, 0);
  for (let request = 0; request < 20_000; request++) arrivals.arrive(request, noon);
  expect(arrivals.mostInAnySecond).toBe(1000);
  expect(arrivals.rejectedByLimit).toBe(0);
});

test("a day's requests are limited until midnight UTC, which Retry-After names", () => {
  const arrivals = new Arrivals(0, 2);
  expect(arrivals.arrive(0, noon)).toBeUndefined();
  expect(arrivals.arrive(1, noon)).toBeUndefined();
  expect(arrivals.arrive(2, noon)).toEqual({ limit: 'day', retryAfterSeconds: 12 * 3600 });
  expect(arrivals.arrive(3, noon + 12 * 3_600_000)).toBeUndefined();
});
