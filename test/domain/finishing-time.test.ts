import { describe, expect, test } from 'vitest';
import { requestsNeeded, secondsToSend } from '../../domain/runs/finishing-time.ts';

const HALF_DAY = 43_200;
const FIVE = { perSecond: 5, perDay: 432_000, reservedPerDay: 4_320 };
const NOON = { requests: 0, secondsLeft: HALF_DAY, roundTripMs: null };

describe('the finishing time', () => {
  test('counts a quote, a creation and a funding for each payment, and a tenth of a request for confirming it', () => {
    expect(requestsNeeded({ payments: 1_000, newBeneficiaries: 0, files: 0 })).toBe(3_100);
  });

  test('counts a request for each new beneficiary and one for the address of each file', () => {
    expect(requestsNeeded({ payments: 10, newBeneficiaries: 4, files: 3 })).toBe(38);
    expect(requestsNeeded({ payments: 0, newBeneficiaries: 0, files: 0 })).toBe(0);
  });

  test('follows from the requests and the limit', () => {
    expect(secondsToSend(3_100, FIVE, NOON)).toBe(620);
    expect(secondsToSend(1, FIVE, NOON)).toBe(1);
    expect(secondsToSend(0, FIVE, NOON)).toBe(0);
    expect(secondsToSend(1_000_000, { ...FIVE, perDay: 0 }, NOON)).toBe(200_000);
  });

  test('is longer by what each lease of the rate limiter waits for its answer', () => {
    expect(secondsToSend(3_000, FIVE, { ...NOON, roundTripMs: 500 })).toBe(900);
    expect(secondsToSend(3_000, FIVE, { ...NOON, roundTripMs: 0 })).toBe(600);
    const limits = { perSecond: 5, perDay: 1_000, reservedPerDay: 100 };
    expect(secondsToSend(401, limits, { ...NOON, requests: 500, roundTripMs: 1_000 })).toBe(HALF_DAY + 1);
    expect(secondsToSend(400, { ...FIVE, perSecond: 0 }, { ...NOON, roundTripMs: 500 })).toBe(0);
  });

  test('moves requests beyond the daily limit to the next day, and keeps the reserve of each day', () => {
    const limits = { perSecond: 5, perDay: 1_000, reservedPerDay: 100 };
    expect(secondsToSend(400, limits, { ...NOON, requests: 500 })).toBe(80);
    expect(secondsToSend(401, limits, { ...NOON, requests: 500 })).toBe(HALF_DAY + 1);
    expect(secondsToSend(50, limits, { ...NOON, requests: 999 })).toBe(HALF_DAY + 10);
    expect(secondsToSend(950, limits, { ...NOON, requests: 900, secondsLeft: 60 })).toBe(60 + 2 * HALF_DAY + 10);
  });

  test('continues over midnight without a pause if the daily limit is not reached', () => {
    expect(secondsToSend(3_100, FIVE, { ...NOON, secondsLeft: 100 })).toBe(620);
  });

  test('is zero without a limit', () => {
    expect(secondsToSend(3_100, { ...FIVE, perSecond: 0 }, NOON)).toBe(0);
  });
});
