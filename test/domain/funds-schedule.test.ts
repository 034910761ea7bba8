import { describe, expect, test } from 'vitest';
import { FUNDS_SETTINGS, fundsSchedule } from '../../domain/runs/funds-schedule.ts';

const { readEveryMs, quietMs, maxDelayMs } = FUNDS_SETTINGS;
const schedule = (seen: Parameters<typeof fundsSchedule>[0], sinceMs: number) =>
  fundsSchedule(seen, sinceMs, FUNDS_SETTINGS);

describe('the balances', () => {
  test('are not read while no payment waits for funds', () => {
    const seen = { waiting: 0, sinceFirstEventMs: maxDelayMs, sinceLastEventMs: maxDelayMs };
    expect(schedule(seen, Number.MAX_SAFE_INTEGER)).toEqual({ readNow: false, waitMs: null });
  });

  test('are read at intervals without events', () => {
    const seen = { waiting: 1, sinceFirstEventMs: null, sinceLastEventMs: null };
    expect(schedule(seen, readEveryMs - 1)).toEqual({ readNow: false, waitMs: 1 });
    expect(schedule(seen, readEveryMs).readNow).toBe(true);
  });

  test('are read once after events that come close together', () => {
    expect(schedule({ waiting: 1, sinceFirstEventMs: 5 * quietMs, sinceLastEventMs: quietMs - 1 }, 20_000)).toEqual({
      readNow: false,
      waitMs: 1,
    });
    expect(schedule({ waiting: 1, sinceFirstEventMs: 5 * quietMs, sinceLastEventMs: quietMs }, 20_000).readNow).toBe(
      true,
    );
  });

  test('are read after the maximum delay while events keep coming', () => {
    expect(schedule({ waiting: 1, sinceFirstEventMs: maxDelayMs - 1, sinceLastEventMs: 0 }, 20_000).readNow).toBe(
      false,
    );
    expect(schedule({ waiting: 1, sinceFirstEventMs: maxDelayMs, sinceLastEventMs: 0 }, 20_000).readNow).toBe(true);
  });
});
