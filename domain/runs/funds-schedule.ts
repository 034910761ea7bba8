/** When the balances are read for payments that wait for money: once for however many events speak of it. */

export interface FundsSettings {
  /** Without any news. */
  readEveryMs: number;
  /** After the last event of several that come close together. */
  quietMs: number;
  /** However long they go on coming. */
  longestMs: number;
}

export const FUNDS_SETTINGS: FundsSettings = { readEveryMs: 120_000, quietMs: 1_000, longestMs: 10_000 };

export interface SeenFunds {
  /** Payments that wait. */
  waiting: number;
  /** Since the first and the last event after the last read; null: none came. */
  firstNewsMs: number | null;
  lastNewsMs: number | null;
}

/** Whether to read the balances now, and else when to ask again, in milliseconds; null: nothing waits. */
export function fundsSchedule(
  seen: SeenFunds,
  sinceLastReadMs: number,
  settings: FundsSettings,
): { readNow: boolean; waitMs: number | null } {
  if (seen.waiting === 0) return { readNow: false, waitMs: null };
  const dueInMs = settings.readEveryMs - sinceLastReadMs;
  if (dueInMs <= 0) return { readNow: true, waitMs: settings.readEveryMs };
  if (seen.firstNewsMs === null || seen.lastNewsMs === null) return { readNow: false, waitMs: dueInMs };
  const newsDueInMs = Math.min(settings.quietMs - seen.lastNewsMs, settings.longestMs - seen.firstNewsMs);
  if (newsDueInMs <= 0) return { readNow: true, waitMs: settings.readEveryMs };
  return { readNow: false, waitMs: Math.min(dueInMs, newsDueInMs) };
}
