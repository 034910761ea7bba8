/** When to read the history of an account's balances. Ages and pauses in milliseconds. */

export interface HistorySettings {
  /** While somebody waits for money. */
  waitingEveryMs: number;
  /** While anything else is under way. */
  everyMs: number;
  /** While nothing is, and money may come. */
  idleEveryMs: number;
  /** After the last event about money. */
  quietMs: number;
  /** After the first event, even if more keep coming. */
  maxDelayMs: number;
  /** After the first read of a gap that did not help; twice as long after each further one. */
  gapRetryMs: number;
  /** After somebody requested the history, the watch goes on for so long. */
  keepMs: number;
}

export const HISTORY_SETTINGS: HistorySettings = {
  waitingEveryMs: 60_000,
  everyMs: 900_000,
  idleEveryMs: 86_400_000,
  quietMs: 1_000,
  maxDelayMs: 10_000,
  gapRetryMs: 5_000,
  keepMs: 600_000,
};

export interface HistoryNeeds {
  /** Payments and conversions that wait for money. */
  waiting: number;
  /** Whether a payment may begin to wait, or be allowed to be sent again while it waits: nothing else says so. */
  mayWait: boolean;
  /** Whether a run is being paid, or money is on its way. */
  isUnderWay: boolean;
  /** Since the last read for news, or the last attempt if it failed; null: never read. Reads of a gap do not postpone it. */
  sinceLastReadMs: number | null;
  /** Since the last read of any kind, or the last attempt to read a gap; null: never read. */
  sinceGapReadMs: number | null;
  /** Whether money was sent since the last read. */
  hasMoved: boolean;
  /** Since the first and the last event about money after the last read; null: there was none. */
  sinceFirstEventMs: number | null;
  sinceLastEventMs: number | null;
  /** Since somebody last requested the history; null: nobody did. */
  sinceRequestedMs: number | null;
  /** Payments were paid lately, or refunds, fundings or deposits are open. */
  mayCome: boolean;
  /** How often the gap was read without success; null: there is none, or it was given up. */
  gapReads: number | null;
  /** How often in a row a read of a gap has failed. */
  gapFailures: number;
}

export interface HistoryPlan {
  /** `news`: from the last read on; `gap`: where entries are missing. Null: nothing now. */
  read: 'news' | 'gap' | null;
  /** When to plan again. */
  waitMs: number;
  isFinished: boolean;
}

export function historySchedule(needs: HistoryNeeds, settings: HistorySettings): HistoryPlan {
  const { sinceLastReadMs, sinceGapReadMs, sinceRequestedMs, isUnderWay, waiting, mayCome } = needs;
  const isKept = sinceRequestedMs !== null && sinceRequestedMs < settings.keepMs;
  const isNeeded = isUnderWay || waiting > 0 || isKept;
  const dueInMs = newsDueInMs(needs, settings, isNeeded);
  if (sinceLastReadMs === null || dueInMs <= 0) return { read: 'news', waitMs: settings.everyMs, isFinished: false };
  const gapDueInMs =
    needs.gapReads === null
      ? Infinity
      : gapPauseMs(needs.gapReads, needs.gapFailures, settings) - (sinceGapReadMs ?? Infinity);
  if (gapDueInMs <= 0) return { read: 'gap', waitMs: settings.everyMs, isFinished: false };
  const keptMs = isKept ? settings.keepMs - sinceRequestedMs : Infinity;
  const waitMs = Math.ceil(Math.min(dueInMs, gapDueInMs, keptMs, longestPauseMs(needs, settings, isNeeded)));
  return { read: null, waitMs, isFinished: dueInMs === Infinity && needs.gapReads === null && !mayCome };
}

function newsDueInMs(needs: HistoryNeeds, settings: HistorySettings, isNeeded: boolean): number {
  const { sinceLastReadMs, sinceFirstEventMs, sinceLastEventMs } = needs;
  // What was sent last is read once more before the watch ends.
  if (sinceLastReadMs === null || (needs.hasMoved && !isNeeded)) return 0;
  const dueInMs = pauseMs(needs, settings, isNeeded) - sinceLastReadMs;
  if (sinceFirstEventMs === null || sinceLastEventMs === null) return dueInMs;
  return Math.min(dueInMs, settings.quietMs - sinceLastEventMs, settings.maxDelayMs - sinceFirstEventMs);
}

/** Until the database is asked again, whatever it says now. */
function longestPauseMs(needs: HistoryNeeds, settings: HistorySettings, isNeeded: boolean): number {
  if (needs.mayWait) return settings.waitingEveryMs;
  return isNeeded ? settings.everyMs : settings.idleEveryMs;
}

/** Between two reads that no event asks for. */
function pauseMs(needs: HistoryNeeds, settings: HistorySettings, isNeeded: boolean): number {
  const { sinceLastReadMs, sinceRequestedMs, waiting, mayCome } = needs;
  if (!isNeeded) return mayCome ? settings.idleEveryMs : Infinity;
  const hasAsked = sinceRequestedMs !== null && sinceLastReadMs !== null && sinceRequestedMs < sinceLastReadMs;
  return waiting > 0 || hasAsked ? settings.waitingEveryMs : settings.everyMs;
}

/** A read that fails says nothing about the gap, so it is not given up for that. */
function gapPauseMs(reads: number, failures: number, { gapRetryMs, everyMs }: HistorySettings): number {
  const unhelpful = Math.max(reads, failures);
  return unhelpful === 0 ? 0 : Math.min(gapRetryMs * 2 ** (unhelpful - 1), everyMs);
}
