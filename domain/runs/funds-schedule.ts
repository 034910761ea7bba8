/** When to read the balances for payments that wait for funds: once for several events that come close together. */

export interface FundsSettings {
  /** Without events. */
  readEveryMs: number;
  /** After the last event. */
  quietMs: number;
  /** After the first event, even if more keep coming. */
  maxDelayMs: number;
}

export const FUNDS_SETTINGS: FundsSettings = { readEveryMs: 120_000, quietMs: 1_000, maxDelayMs: 10_000 };

export interface FundsEvents {
  /** Payments that wait for funds. */
  waiting: number;
  /** Since the first and the last event after the last read; null: there was none. */
  sinceFirstEventMs: number | null;
  sinceLastEventMs: number | null;
}

/** Whether to read the balances now, and otherwise after how many milliseconds to ask again; null: nothing waits. */
export function fundsSchedule(
  events: FundsEvents,
  sinceLastReadMs: number,
  settings: FundsSettings,
): { readNow: boolean; waitMs: number | null } {
  if (events.waiting === 0) return { readNow: false, waitMs: null };
  const dueInMs = settings.readEveryMs - sinceLastReadMs;
  if (dueInMs <= 0) return { readNow: true, waitMs: settings.readEveryMs };
  if (events.sinceFirstEventMs === null || events.sinceLastEventMs === null) return { readNow: false, waitMs: dueInMs };
  const eventsDueInMs = Math.min(
    settings.quietMs - events.sinceLastEventMs,
    settings.maxDelayMs - events.sinceFirstEventMs,
  );
  if (eventsDueInMs <= 0) return { readNow: true, waitMs: settings.readEveryMs };
  return { readNow: false, waitMs: Math.min(dueInMs, eventsDueInMs) };
}
