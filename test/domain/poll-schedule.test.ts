import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type InFlight,
  STATUS_POLL_INTERVAL_MS,
  sizeAfter,
  pollSchedule,
  pollSettings,
} from '../../domain/payments/poll-schedule.ts';

const SETTINGS = pollSettings(STATUS_POLL_INTERVAL_MS);
const { gapWhileSendingMs, gapWhileIdleMs, minGapWithoutWebhookMs, maxGapWithoutWebhookMs } = SETTINGS;

/** Ten payments in flight, none named by a webhook, the youngest funded just now. */
function tenInFlight(parts: Partial<InFlight> = {}): InFlight {
  return { inFlight: 10, withWebhook: 0, youngestMs: 0, sending: false, unknown: 0, unfundedToRead: 0, ...parts };
}

function schedule(seen: InFlight, sinceLastPollMs: number) {
  return pollSchedule(seen, sinceLastPollMs, SETTINGS);
}

describe('polling the status of payments', () => {
  test('reads nothing while nothing is in flight, however long ago the last read was', () => {
    const seen = { inFlight: 0, withWebhook: 0, youngestMs: null, sending: true, unknown: 0, unfundedToRead: 0 };
    expect(schedule(seen, Number.MAX_SAFE_INTEGER).pollNow).toBe(false);
  });

  test('reads at once when a webhook named every payment in flight and none is still being sent', () => {
    expect(schedule(tenInFlight({ withWebhook: 10 }), 0).pollNow).toBe(true);
    expect(schedule(tenInFlight({ withWebhook: 10, sending: true }), 0).pollNow).toBe(false);
    expect(schedule(tenInFlight({ withWebhook: 9 }), 0).pollNow).toBe(false);
  });

  test.each([
    ['while payments are sent, webhooks wait for the longer gap', { withWebhook: 3, sending: true }, gapWhileSendingMs],
    ['when all are sent, webhooks wait for the shorter gap', { withWebhook: 3 }, gapWhileIdleMs],
    [
      'without webhooks, young payments are read at the minimum interval',
      { youngestMs: 1_000 },
      minGapWithoutWebhookMs,
    ],
    ['without webhooks, the interval grows with age', { youngestMs: 4 * 60_000 }, 2 * 60_000],
    ['without webhooks, the interval never exceeds the maximum', { youngestMs: 90 * 60_000 }, maxGapWithoutWebhookMs],
  ])('%s', (_rule, parts, gapMs) => {
    expect(schedule(tenInFlight(parts), gapMs - 1)).toEqual({ pollNow: false, waitMs: 1 });
    expect(schedule(tenInFlight(parts), gapMs)).toEqual({ pollNow: true, waitMs: gapMs });
  });

  test('reads payments that wait for funds and are due, even if nothing else is in flight', () => {
    const seen = { inFlight: 0, withWebhook: 0, youngestMs: null, sending: false, unknown: 0, unfundedToRead: 1 };
    expect(schedule(seen, gapWhileIdleMs - 1)).toEqual({ pollNow: false, waitMs: 1 });
    expect(schedule(seen, gapWhileIdleMs).pollNow).toBe(true);
    expect(schedule(tenInFlight({ unfundedToRead: 1 }), gapWhileIdleMs).pollNow).toBe(true);
  });

  test('looks again soon while payments are being sent, though none is in flight yet', () => {
    const none = { inFlight: 0, withWebhook: 0, youngestMs: null, unknown: 0, unfundedToRead: 0 };
    expect(schedule({ ...none, sending: true }, 0)).toEqual({ pollNow: false, waitMs: gapWhileSendingMs });
    expect(schedule({ ...none, sending: false }, 0)).toEqual({ pollNow: false, waitMs: maxGapWithoutWebhookMs });
  });

  test('leaves most of the limit to payments when one read is not enough, and still reads', () => {
    const round = { reads: 50, minGapMs: 4_000 };
    const at = (sinceMs: number) =>
      pollSchedule(tenInFlight({ withWebhook: 3, sending: true }), sinceMs, SETTINGS, round);
    expect(at(3_999)).toEqual({ pollNow: false, waitMs: 1 });
    expect(at(4_000).pollNow).toBe(true);
  });

  test('always plans its next read, and never later than the maximum interval', () => {
    const seen = fc.record({
      inFlight: fc.integer({ min: 1, max: 100_000 }),
      withWebhook: fc.nat(100_000),
      youngestMs: fc.option(fc.nat(86_400_000)),
      sending: fc.boolean(),
      unknown: fc.constant(0),
      unfundedToRead: fc.nat(3),
    });
    fc.assert(
      fc.property(seen, fc.nat(86_400_000), (inFlight, sinceLastPollMs) => {
        const { pollNow, waitMs } = schedule(inFlight, sinceLastPollMs);
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(maxGapWithoutWebhookMs);
        if (sinceLastPollMs >= maxGapWithoutWebhookMs) expect(pollNow).toBe(true);
      }),
      { seed: 7 },
    );
  });
});

describe('after a read', () => {
  test.each([
    ['an answer that shows 50 of 2,000 is the size of the next read', 2_000, 2_000, 50, 50, true],
    ['so is one that shows 50 of 62', 62, 62, 50, 50, true],
    ['a few that are missing are read one by one', 50, 50, 46, 50, false],
    ['one of five is no few, but two may be missing anyhow', 12, 12, 10, 12, false],
    ['reads do not become smaller than ten', 400, 400, 3, 10, true],
    ['what the smallest read leaves out is read one by one', 10, 10, 1, 10, false],
    ['a full read that left out none is followed by a larger one', 50, 50, 50, 100, false],
    ['up to two thousand', 2_000, 2_000, 2_000, 2_000, false],
    ['a read that was not full says nothing about the size', 50, 7, 7, 50, false],
  ])('%s', (_rule, size, asked, shown, nextSize, askAgain) => {
    expect(sizeAfter(size, asked, shown)).toEqual({ nextSize, askAgain });
  });
});
