/** When the status of payments in flight is read from the provider. One read serves all of them. */

export interface PollSettings {
  /** While payments are being sent, because each read uses a request that they could use. */
  gapWhileSendingMs: number;
  /** While none are being sent. */
  gapWhileIdleMs: number;
  /** Without webhooks: for the youngest payments, and the maximum up to which it grows with their age. */
  minGapWithoutWebhookMs: number;
  maxGapWithoutWebhookMs: number;
}

/** The default of the minimum time between two reads while no payments are being sent. */
export const STATUS_POLL_INTERVAL_MS = 20_000;

/** All settings, derived from that minimum. */
export function pollSettings(gapMs: number): PollSettings {
  return {
    gapWhileSendingMs: gapMs * 3,
    gapWhileIdleMs: gapMs,
    minGapWithoutWebhookMs: gapMs * 1.5,
    maxGapWithoutWebhookMs: gapMs * 45,
  };
}

export interface InFlight {
  inFlight: number;
  /** Named by a webhook since they were last read. */
  withWebhook: number;
  /** Age of the youngest; null when nothing is in flight. */
  youngestMs: number | null;
  /** Whether payments are still being sent. */
  sending: boolean;
  /** Their outcome is unknown, and the provider may still show it. */
  unknown: number;
  /** Waiting for funds, and due for a read. */
  unfundedToRead: number;
}

/** A round of several reads, when one cannot show every payment in flight. */
export interface PollRound {
  reads: number;
  /** Between two reads, so that payments can use most of the rate limit. */
  minGapMs: number;
}

/** Whether to read now, and otherwise how long to wait before asking again, unless something happens. */
export function pollSchedule(
  seen: InFlight,
  sinceLastPollMs: number,
  settings: PollSettings,
  round: PollRound = { reads: 1, minGapMs: 0 },
): { pollNow: boolean; waitMs: number } {
  if (seen.inFlight === 0) {
    if (seen.unfundedToRead > 0) {
      const waitMs = settings.gapWhileIdleMs - sinceLastPollMs;
      return waitMs <= 0 ? { pollNow: true, waitMs: settings.gapWhileIdleMs } : { pollNow: false, waitMs };
    }
    const isDue = seen.unknown > 0 && sinceLastPollMs >= settings.maxGapWithoutWebhookMs;
    // What is sent meanwhile is in flight soon, and without webhooks nothing else says so.
    return { pollNow: isDue, waitMs: seen.sending ? settings.gapWhileSendingMs : settings.maxGapWithoutWebhookMs };
  }
  const { sending } = seen;
  // Nothing else is expected: one read now shows how every payment ended.
  if (!sending && seen.withWebhook === seen.inFlight && round.reads <= 1)
    return { pollNow: true, waitMs: settings.gapWhileIdleMs };
  const withoutWebhookMs = Math.min(
    settings.maxGapWithoutWebhookMs,
    Math.max(settings.minGapWithoutWebhookMs, (seen.youngestMs ?? 0) / 2),
  );
  const withWebhookMs = sending ? settings.gapWhileSendingMs : settings.gapWhileIdleMs;
  const wholeMs = seen.withWebhook > 0 || seen.unfundedToRead > 0 ? withWebhookMs : withoutWebhookMs;
  // guard: reads-leave-room (5 lines)
  const gapMs = Math.max(
    wholeMs / Math.max(1, round.reads),
    Math.min(round.minGapMs, settings.maxGapWithoutWebhookMs),
    1,
  );
  const dueInMs = gapMs - sinceLastPollMs;
  return dueInMs <= 0 ? { pollNow: true, waitMs: gapMs } : { pollNow: false, waitMs: Math.ceil(dueInMs) };
}

/** How many payments one read asks for. */
export const MAX_POLL_SIZE = 2_000;
const MIN_POLL_SIZE = 10;
/** Up to so many missing payments never mean that the answer was cut short, however few were requested. */
const MAX_MISSING_READ_SINGLY = 2;

/** After a read of this size that failed. */
export function smallerPoll(size: number): number {
  return Math.max(MIN_POLL_SIZE, Math.floor(size / 2));
}

/**
 * What a read that asked for so many payments and showed so many of them means. If it left many out, the provider shows no
 * more in one answer: the next read asks for as many as this one showed, and those that were left out are asked for again,
 * not read one by one, which would take a request each. If few are missing, or fewer cannot be asked for, they are read
 * one by one. A full read that left out none is followed by one of twice the size.
 */
export function sizeAfter(size: number, asked: number, shown: number): { nextSize: number; askAgain: boolean } {
  const missing = asked - shown;
  if (asked > MIN_POLL_SIZE && missing > Math.max(MAX_MISSING_READ_SINGLY, asked / 10)) {
    return { nextSize: Math.max(MIN_POLL_SIZE, shown), askAgain: true };
  }
  const wasFull = asked >= size && missing === 0;
  return { nextSize: wasFull ? Math.min(MAX_POLL_SIZE, size * 2) : size, askAgain: false };
}
