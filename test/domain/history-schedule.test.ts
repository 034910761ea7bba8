import { describe, expect, test } from 'vitest';
import { HISTORY_SETTINGS, type HistoryNeeds, historySchedule } from '../../domain/accounts/history-schedule.ts';
import { gapRange, nextRange } from '../../domain/accounts/history-range.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const planOf = (needs: Partial<HistoryNeeds>) =>
  historySchedule(
    {
      waiting: 0,
      mayWait: false,
      isUnderWay: false,
      sinceLastReadMs: MINUTE_MS,
      sinceGapReadMs: needs.sinceLastReadMs ?? MINUTE_MS,
      hasMoved: false,
      sinceFirstEventMs: null,
      sinceLastEventMs: null,
      sinceRequestedMs: null,
      mayCome: false,
      gapReads: null,
      gapFailures: 0,
      ...needs,
    },
    HISTORY_SETTINGS,
  );

describe('the history is read', () => {
  test('at first, and every 15 minutes while a run is paid', () => {
    expect(planOf({ isUnderWay: true, sinceLastReadMs: null }).read).toBe('news');
    expect(planOf({ isUnderWay: true, sinceLastReadMs: 14 * MINUTE_MS })).toEqual({
      read: null,
      waitMs: MINUTE_MS,
      isFinished: false,
    });
    expect(planOf({ isUnderWay: true, sinceLastReadMs: 15 * MINUTE_MS }).read).toBe('news');
  });

  test('every minute while somebody waits for money', () => {
    expect(planOf({ waiting: 1, sinceLastReadMs: 59_000 })).toMatchObject({ read: null, waitMs: 1_000 });
    expect(planOf({ waiting: 1, sinceLastReadMs: 60_000 }).read).toBe('news');
    // Whoever begins to wait tells nobody.
    const sending = { isUnderWay: true, mayWait: true, sinceLastReadMs: 1_000 };
    expect(planOf(sending)).toMatchObject({ read: null, waitMs: 60_000 });
  });

  test('once for several events that come close together, and within ten seconds if they keep coming', () => {
    const events = { isUnderWay: true, sinceLastReadMs: 20_000 };
    expect(planOf({ ...events, sinceFirstEventMs: 400, sinceLastEventMs: 400 })).toMatchObject({
      read: null,
      waitMs: 600,
    });
    expect(planOf({ ...events, sinceFirstEventMs: 1_500, sinceLastEventMs: 1_000 }).read).toBe('news');
    expect(planOf({ ...events, sinceFirstEventMs: 10_000, sinceLastEventMs: 0 }).read).toBe('news');
  });

  test('at once when somebody asks, unless it was read in the last minute', () => {
    expect(planOf({ sinceRequestedMs: 0, sinceLastReadMs: 5 * MINUTE_MS }).read).toBe('news');
    expect(planOf({ sinceRequestedMs: 0, sinceLastReadMs: 30_000 })).toMatchObject({ read: null, isFinished: false });
  });

  test('once more after the last payment was funded; then the watch ends', () => {
    expect(planOf({ hasMoved: true })).toMatchObject({ read: 'news', isFinished: false });
    expect(planOf({ sinceLastReadMs: 15 * MINUTE_MS })).toMatchObject({ read: null, isFinished: true });
    expect(planOf({ sinceRequestedMs: 11 * MINUTE_MS })).toMatchObject({ read: null, isFinished: true });
  });

  test('once a day while money may come, and soon after an event, also when nothing is under way', () => {
    expect(planOf({ mayCome: true })).toEqual({ read: null, waitMs: 24 * HOUR_MS - MINUTE_MS, isFinished: false });
    expect(planOf({ mayCome: true, sinceLastReadMs: 24 * HOUR_MS }).read).toBe('news');
    for (const mayCome of [true, false]) {
      const event = { mayCome, sinceFirstEventMs: 400, sinceLastEventMs: 400 };
      expect(planOf(event)).toEqual({ read: null, waitMs: 600, isFinished: false });
      expect(planOf({ ...event, sinceLastEventMs: 1_000 }).read).toBe('news');
    }
  });

  test('where entries are missing, after pauses that double', () => {
    expect(planOf({ isUnderWay: true, gapReads: 0, sinceLastReadMs: 1 }).read).toBe('gap');
    expect(planOf({ isUnderWay: true, gapReads: 3, sinceLastReadMs: 19_000 })).toMatchObject({
      read: null,
      waitMs: 1_000,
    });
    expect(planOf({ isUnderWay: true, gapReads: 3, sinceLastReadMs: 20_000 }).read).toBe('gap');
    expect(planOf({ gapReads: 3, sinceLastReadMs: 1 }).isFinished).toBe(false);
  });

  test('for news as often as without a gap, however often the gap is read', () => {
    const gap = { waiting: 1, gapReads: 0, sinceGapReadMs: 1 };
    expect(planOf({ ...gap, sinceLastReadMs: 60_000 }).read).toBe('news');
    const events = { sinceFirstEventMs: 1_500, sinceLastEventMs: 1_000 };
    expect(planOf({ ...gap, ...events, isUnderWay: true, sinceLastReadMs: 2_000 }).read).toBe('news');
  });

  test('seldom where a gap cannot be read', () => {
    const failing = { isUnderWay: true, gapReads: 0, sinceLastReadMs: MINUTE_MS };
    expect(planOf({ ...failing, gapFailures: 3, sinceGapReadMs: 19_000 })).toMatchObject({ read: null, waitMs: 1_000 });
    expect(planOf({ ...failing, gapFailures: 3, sinceGapReadMs: 20_000 }).read).toBe('gap');
    expect(planOf({ ...failing, gapFailures: 99, sinceGapReadMs: 14 * MINUTE_MS }).read).toBeNull();
  });
});

describe('a range of the history', () => {
  const nowMs = Date.parse('2026-01-31T12:00:00Z');

  test('goes back 48 hours at first and once a day', () => {
    const full = { fromMs: nowMs - 48 * HOUR_MS, toMs: nowMs, isFull: true };
    expect(nextRange({ nowMs, lastToMs: null, lastFullMs: null })).toEqual(full);
    expect(nextRange({ nowMs, lastToMs: nowMs - MINUTE_MS, lastFullMs: nowMs - 24 * HOUR_MS })).toEqual(full);
  });

  test('overlaps the one before by 15 minutes, however long ago that was', () => {
    for (const ageMs of [MINUTE_MS, 10 * HOUR_MS]) {
      const { fromMs, isFull } = nextRange({ nowMs, lastToMs: nowMs - ageMs, lastFullMs: nowMs - 11 * HOUR_MS });
      expect([fromMs, isFull]).toEqual([nowMs - ageMs - 15 * MINUTE_MS, false]);
    }
    const afterDays = nextRange({ nowMs, lastToMs: nowMs - 72 * HOUR_MS, lastFullMs: nowMs - 80 * HOUR_MS });
    expect(afterDays.fromMs).toBe(nowMs - 72 * HOUR_MS - 15 * MINUTE_MS);
    // A clock that was set back leaves nothing out.
    expect(nextRange({ nowMs, lastToMs: nowMs + HOUR_MS, lastFullMs: nowMs }).fromMs).toBe(nowMs - 15 * MINUTE_MS);
  });

  test('of a gap contains both entries at its edges, and is halved when a read did not help', () => {
    const gap = { afterMs: nowMs, beforeMs: nowMs + 1_000, reads: 0 };
    expect(gapRange(gap)).toEqual({ fromMs: nowMs - 1, toMs: nowMs + 1_001 });
    expect(gapRange({ ...gap, reads: 1 })).toEqual(gapRange(gap));
    expect(gapRange({ ...gap, reads: 2 }).toMs).toBe(nowMs + 500);
    expect(gapRange({ ...gap, reads: 40 }).toMs).toBe(nowMs + 1);
  });
});
