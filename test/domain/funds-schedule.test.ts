import { describe, expect, test } from 'vitest';
import { FUNDS_SETTINGS, fundsSchedule } from '../../domain/runs/funds-schedule.ts';

const { readEveryMs, quietMs, longestMs } = FUNDS_SETTINGS;
const schedule = (seen: Parameters<typeof fundsSchedule>[0], sinceMs: number) =>
  fundsSchedule(seen, sinceMs, FUNDS_SETTINGS);

describe('the balances', () => {
  test('are not read while nothing waits for money', () => {
    const seen = { waiting: 0, firstNewsMs: longestMs, lastNewsMs: longestMs };
    expect(schedule(seen, Number.MAX_SAFE_INTEGER)).toEqual({ readNow: false, waitMs: null });
  });

  test('are read now and then without news', () => {
    const seen = { waiting: 1, firstNewsMs: null, lastNewsMs: null };
    expect(schedule(seen, readEveryMs - 1)).toEqual({ readNow: false, waitMs: 1 });
    expect(schedule(seen, readEveryMs).readNow).toBe(true);
  });

  test('are read once after events that come close together', () => {
    expect(schedule({ waiting: 1, firstNewsMs: 5 * quietMs, lastNewsMs: quietMs - 1 }, 20_000)).toEqual({
      readNow: false,
      waitMs: 1,
    });
    expect(schedule({ waiting: 1, firstNewsMs: 5 * quietMs, lastNewsMs: quietMs }, 20_000).readNow).toBe(true);
  });

  test('are read however long the events go on coming', () => {
    expect(schedule({ waiting: 1, firstNewsMs: longestMs - 1, lastNewsMs: 0 }, 20_000).readNow).toBe(false);
    expect(schedule({ waiting: 1, firstNewsMs: longestMs, lastNewsMs: 0 }, 20_000).readNow).toBe(true);
  });
});
