/** When the confirmation sweep reads the provider. One read serves every payment in flight, so fewer is better. */

export interface SweepSettings {
  /** While payments are still being sent: each read takes a request away from them. */
  gapWhileSendingMs: number;
  /** When nothing waits to be sent. */
  gapWhileIdleMs: number;
  /** Without any hint, for the youngest payments; it grows with their age up to the longest. */
  shortestUnhintedMs: number;
  longestUnhintedMs: number;
}

/** The least time between two reads when nothing waits to be sent, unless it is configured. */
export const SWEEP_GAP_MS = 20_000;

/** The whole schedule from that least time. */
export function sweepSettings(gapMs: number): SweepSettings {
  return {
    gapWhileSendingMs: gapMs * 3,
    gapWhileIdleMs: gapMs,
    shortestUnhintedMs: gapMs * 1.5,
    longestUnhintedMs: gapMs * 45,
  };
}

export interface InFlight {
  inFlight: number;
  /** Spoken of by a webhook since they were last read. */
  hinted: number;
  /** Age of the youngest; null when nothing is in flight. */
  youngestMs: number | null;
  /** Whether payments are still to be funded. */
  sending: boolean;
  /** Given up, and perhaps to be seen yet. */
  unknown: number;
  /** Waiting for money, and worth a read. */
  unfundedToRead: number;
}

/** A round of reads, where one does not show every payment in flight. */
export interface SweepRound {
  reads: number;
  /** Between two reads, so that they leave the limit to payments. */
  leastMs: number;
}

/** Whether to read now, and else how long to wait without news before asking again. */
export function sweepSchedule(
  seen: InFlight,
  sinceLastSweepMs: number,
  settings: SweepSettings,
  round: SweepRound = { reads: 1, leastMs: 0 },
): { sweepNow: boolean; waitMs: number } {
  // What is unknown may be worth a look.
  if (seen.inFlight === 0) {
    if (seen.unfundedToRead > 0) {
      const waitMs = settings.gapWhileIdleMs - sinceLastSweepMs;
      return waitMs <= 0 ? { sweepNow: true, waitMs: settings.gapWhileIdleMs } : { sweepNow: false, waitMs };
    }
    const isDue = seen.unknown > 0 && sinceLastSweepMs >= settings.longestUnhintedMs;
    return { sweepNow: isDue, waitMs: settings.longestUnhintedMs };
  }
  const { sending } = seen;
  // The last news there can be: a read now settles everything.
  if (!sending && seen.hinted === seen.inFlight && round.reads <= 1)
    return { sweepNow: true, waitMs: settings.gapWhileIdleMs };
  const unhintedMs = Math.min(
    settings.longestUnhintedMs,
    Math.max(settings.shortestUnhintedMs, (seen.youngestMs ?? 0) / 2),
  );
  const hintedMs = sending ? settings.gapWhileSendingMs : settings.gapWhileIdleMs;
  const wholeMs = seen.hinted > 0 || seen.unfundedToRead > 0 ? hintedMs : unhintedMs;
  const gapMs = Math.max(wholeMs / Math.max(1, round.reads), Math.min(round.leastMs, settings.longestUnhintedMs), 1);
  const dueInMs = gapMs - sinceLastSweepMs;
  return dueInMs <= 0 ? { sweepNow: true, waitMs: gapMs } : { sweepNow: false, waitMs: Math.ceil(dueInMs) };
}

/** Payments that one read is to show: where the answers hold so many, and at the least. */
export const WIDEST_SWEEP = 2_000;
const NARROWEST_SWEEP = 10;

/** After a read of so many that failed, or left many of them out. */
export function narrowerSweep(size: number): number {
  return Math.max(NARROWEST_SWEEP, Math.floor(size / 2));
}

/** After a full one that left none out. */
export function widerSweep(size: number): number {
  return Math.min(WIDEST_SWEEP, size * 2);
}
