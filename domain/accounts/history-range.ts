/** What to read of the history. Milliseconds since the epoch; the end is exclusive. */
export interface HistoryRange {
  fromMs: number;
  toMs: number;
}

export interface KnownHistory {
  nowMs: number;
  /** Where the last read ended; null: nothing was read yet. */
  lastToMs: number | null;
  /** When a read last went back for all of `FULL_MS`; null: never. */
  lastFullMs: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Entries may become visible late, and clocks differ: each read begins so long before the end of the last one. */
const OVERLAP_MS = 15 * MINUTE_MS;
/** The first read, and once a day, in case entries become visible much later. */
export const FULL_MS = 48 * HOUR_MS;
const FULL_EVERY_MS = 24 * HOUR_MS;

/** The range of a regular read. Ranges touch or overlap, so that no time is left out. */
export function nextRange({ nowMs, lastToMs, lastFullMs }: KnownHistory): HistoryRange & { isFull: boolean } {
  const fullFromMs = nowMs - FULL_MS;
  if (lastToMs === null) return { fromMs: fullFromMs, toMs: nowMs, isFull: true };
  const fromMs = Math.min(lastToMs, nowMs) - OVERLAP_MS;
  const isFull = lastFullMs === null || nowMs - lastFullMs >= FULL_EVERY_MS;
  return { fromMs: isFull ? Math.min(fromMs, fullFromMs) : fromMs, toMs: nowMs, isFull };
}

/** Where the chain of entries breaks: the dates of the last entry before, and of the first one after. */
export interface MissingEntries {
  afterMs: number;
  beforeMs: number;
  /** How many reads of it in a row have not helped. */
  reads: number;
}

/** Reads of a gap that did not help, after which its history is given up for now. */
export const MAX_GAP_READS = 6;

/** Missing entries that have not come for so long are given up, and the history is followed from the ones after them. */
export const RESTART_AFTER_MS = 24 * HOUR_MS;

/** Both entries are shown again: some of the missing ones may have the same date. */
const GAP_MARGIN_MS = 1;
const LEAST_GAP_MS = 2 * GAP_MARGIN_MS;

/**
 * The range of a read for missing entries. The list is not paged: if the provider shows only so many entries at once, a
 * smaller range shows the others. So it is halved from the second read that did not help.
 */
export function gapRange({ afterMs, beforeMs, reads }: MissingEntries): HistoryRange {
  const fromMs = afterMs - GAP_MARGIN_MS;
  const lengthMs = Math.max(LEAST_GAP_MS, beforeMs + GAP_MARGIN_MS - fromMs);
  return { fromMs, toMs: fromMs + Math.max(LEAST_GAP_MS, Math.ceil(lengthMs / 2 ** Math.max(0, reads - 1))) };
}
