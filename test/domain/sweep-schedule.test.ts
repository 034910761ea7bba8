import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type InFlight, SWEEP_GAP_MS, sweepSchedule, sweepSettings } from '../../domain/payments/sweep-schedule.ts';

const SETTINGS = sweepSettings(SWEEP_GAP_MS);
const { gapWhileSendingMs, gapWhileIdleMs, shortestUnhintedMs, longestUnhintedMs } = SETTINGS;

/** Ten payments in flight, of which none was spoken of, the youngest funded just now. */
function tenInFlight(parts: Partial<InFlight> = {}): InFlight {
  return { inFlight: 10, hinted: 0, youngestMs: 0, sending: false, unknown: 0, unfundedToRead: 0, ...parts };
}

function schedule(seen: InFlight, sinceLastSweepMs: number) {
  return sweepSchedule(seen, sinceLastSweepMs, SETTINGS);
}

describe('the sweep', () => {
  test('reads nothing while nothing is in flight, however long ago it last did', () => {
    const seen = { inFlight: 0, hinted: 0, youngestMs: null, sending: true, unknown: 0, unfundedToRead: 0 };
    expect(schedule(seen, Number.MAX_SAFE_INTEGER)).toEqual({ sweepNow: false, waitMs: longestUnhintedMs });
  });

  test('reads at once when every payment in flight was spoken of and none is still to be sent', () => {
    expect(schedule(tenInFlight({ hinted: 10 }), 0).sweepNow).toBe(true);
    expect(schedule(tenInFlight({ hinted: 10, sending: true }), 0).sweepNow).toBe(false);
    expect(schedule(tenInFlight({ hinted: 9 }), 0).sweepNow).toBe(false);
  });

  test.each([
    ['while payments are sent, hints wait for the longer gap', { hinted: 3, sending: true }, gapWhileSendingMs],
    ['when all are sent, hints wait for the shorter gap', { hinted: 3 }, gapWhileIdleMs],
    ['without hints, the young are read at the shortest interval', { youngestMs: 1_000 }, shortestUnhintedMs],
    ['without hints, the interval grows with age', { youngestMs: 4 * 60_000 }, 2 * 60_000],
    ['without hints, the interval never grows past the longest', { youngestMs: 90 * 60_000 }, longestUnhintedMs],
  ])('%s', (_rule, parts, gapMs) => {
    expect(schedule(tenInFlight(parts), gapMs - 1)).toEqual({ sweepNow: false, waitMs: 1 });
    expect(schedule(tenInFlight(parts), gapMs)).toEqual({ sweepNow: true, waitMs: gapMs });
  });

  test('reads what waits for money when it is worth it, also when nothing else is in flight', () => {
    const seen = { inFlight: 0, hinted: 0, youngestMs: null, sending: false, unknown: 0, unfundedToRead: 1 };
    expect(schedule(seen, gapWhileIdleMs - 1)).toEqual({ sweepNow: false, waitMs: 1 });
    expect(schedule(seen, gapWhileIdleMs).sweepNow).toBe(true);
    expect(schedule(tenInFlight({ unfundedToRead: 1 }), gapWhileIdleMs).sweepNow).toBe(true);
  });

  test('leaves the limit to payments where one read is not enough, and still reads', () => {
    const round = { reads: 50, leastMs: 4_000 };
    const at = (sinceMs: number) => sweepSchedule(tenInFlight({ hinted: 3, sending: true }), sinceMs, SETTINGS, round);
    expect(at(3_999)).toEqual({ sweepNow: false, waitMs: 1 });
    expect(at(4_000).sweepNow).toBe(true);
  });

  test('always plans its next look, and never later than the longest interval', () => {
    const seen = fc.record({
      inFlight: fc.integer({ min: 1, max: 100_000 }),
      hinted: fc.nat(100_000),
      youngestMs: fc.option(fc.nat(86_400_000)),
      sending: fc.boolean(),
      unknown: fc.constant(0),
      unfundedToRead: fc.nat(3),
    });
    fc.assert(
      fc.property(seen, fc.nat(86_400_000), (inFlight, sinceLastSweepMs) => {
        const { sweepNow, waitMs } = schedule(inFlight, sinceLastSweepMs);
        expect(waitMs).toBeGreaterThan(0);
        expect(waitMs).toBeLessThanOrEqual(longestUnhintedMs);
        if (sinceLastSweepMs >= longestUnhintedMs) expect(sweepNow).toBe(true);
      }),
      { seed: 7 },
    );
  });
});
