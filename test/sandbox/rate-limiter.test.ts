import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimiter } from '../../sandbox/core/rate-limiter.ts';

const noon = Date.UTC(2026, 0, 1, 12);

test('five requests in a second are accepted, the sixth is rejected, and one a second after the first is accepted', () => {
  const rateLimiter = new RateLimiter(5, 0);
  const rejected = [0, 1, 2, 3, 4, 999.999, 1000, 1000.5].map(
    (atMs) => rateLimiter.countRequest(atMs, noon) !== undefined,
  );
  expect(rejected).toEqual([false, false, false, false, false, true, false, true]);
  expect(rateLimiter.rejectedByLimit).toBe(2);
});

test('a rejected request does not count towards the window', () => {
  const rateLimiter = new RateLimiter(5, 0);
  for (let atMs = 0; atMs < 1000; atMs += 10) rateLimiter.countRequest(atMs, noon);
  expect(rateLimiter.rejectedByLimit).toBe(95);
  expect(rateLimiter.countRequest(1000, noon)).toBeUndefined();
});

test('no window of a second contains more accepted requests than the limit, and no request is rejected below it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { minLength: 1, maxLength: 120 }),
      fc.integer({ min: 1, max: 7 }),
      (gapsMs, limit) => {
        const rateLimiter = new RateLimiter(limit, 0);
        const accepted: number[] = [];
        let atMs = 0;
        let all = 0;
        for (const gapMs of gapsMs) {
          atMs += gapMs;
          all += 1;
          const inSecond = accepted.filter((time) => atMs - time < 1000).length;
          const isAccepted = rateLimiter.countRequest(atMs, noon) === undefined;
          if (isAccepted !== inSecond < limit) return false;
          if (isAccepted) accepted.push(atMs);
        }
        return accepted.length + rateLimiter.rejectedByLimit === all;
      },
    ),
    { seed: 2, numRuns: 100 },
  );
});

test('mostInAnySecond counts accepted and rejected requests', () => {
  const rateLimiter = new RateLimiter(2, 0);
  for (const atMs of [0, 500, 900, 999, 1000, 5000, 5999]) rateLimiter.countRequest(atMs, noon);
  expect(rateLimiter.mostInAnySecond).toBe(4);
});

test('mostInAnySecond is correct after many thousands of requests', () => {
  const rateLimiter = new RateLimiter(0, 0);
  for (let request = 0; request < 20_000; request++) rateLimiter.countRequest(request, noon);
  expect(rateLimiter.mostInAnySecond).toBe(1000);
  expect(rateLimiter.rejectedByLimit).toBe(0);
});

test('the daily limit ends at midnight UTC, as Retry-After says', () => {
  const rateLimiter = new RateLimiter(0, 2);
  expect(rateLimiter.countRequest(0, noon)).toBeUndefined();
  expect(rateLimiter.countRequest(1, noon)).toBeUndefined();
  expect(rateLimiter.countRequest(2, noon)).toEqual({ limit: 'day', retryAfterSeconds: 12 * 3600 });
  expect(rateLimiter.countRequest(3, noon + 12 * 3_600_000)).toBeUndefined();
});
