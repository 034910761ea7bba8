import { randomUUID } from 'node:crypto';
import { type SendingLimits, usablePerDay } from '../../domain/runs/sending-limits.ts';
import { cooldownLeftMs, SLOT_COOLDOWN_MS } from './slot-cooldown.ts';
import type { SlotHolder } from './slot-holder.ts';
import type { PauseRow, SlotAnswer, SlotTable } from './slot-table.ts';

export interface SlotTicket {
  slot: number;
  lease: string;
  /** The id that this process had when it took the slot. */
  holder: string;
  /** Milliseconds from now until the request may be sent. */
  waitMs: number;
}

/** `retryInMs`: every slot is taken. `exhaustedForMs`: the day's budget is used up; try again after this long. */
export type TakeAnswer = { ticket: SlotTicket } | { retryInMs: number } | { exhaustedForMs: number };

export interface RequestSlots {
  take(account: string, options: { mayUseReserve: boolean }): Promise<TakeAnswer>;
  /** Whether this process still has the slot. To check just before sending. */
  stillHolds(ticket: SlotTicket): boolean;
  /** `sinceAnswerMs`: how long ago the request was answered or given up. */
  release(account: string, ticket: SlotTicket, outcome: { sinceAnswerMs: number }): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
  /** Frees slots whose release failed, and slots taken by a statement whose answer was lost. To call often. */
  freeAbandoned(): Promise<void>;
}

/** Shifts the day in tests. In production only the database's clock counts. */
export interface DayShift {
  days: number;
  maxWaitMs: number;
}

/** Retry interval while every slot is taken. Slots are freed nearly a second before they may be used, so no time is lost. */
const RETRY_WHILE_ALL_TAKEN_MS = 100;

/** A request that waits for the next day retries after this long at most: the limit may be raised, or the clock corrected. */
const MAX_EXHAUSTED_MS = 3_600_000;

/** A statement without an answer may still be executed, but not after this long. */
const ABANDONED_FOR_MS = 600_000;

interface Options {
  table: SlotTable;
  holder: SlotHolder;
  limitsOf: (account: string) => SendingLimits;
  newLease?: () => string;
  dayShift?: () => DayShift;
}

interface Abandoned {
  account: string;
  sinceMs: number;
}

/**
 * The slots of the request gate: for each account as many as its limit allows in a second. The table decides who has a slot;
 * this function decides from when it may be used: a second after its last request was answered. So the next request
 * arrives at least a second later, whatever the network delays.
 */
export function createRequestSlots({
  table,
  holder,
  limitsOf,
  newLease = randomUUID,
  dayShift,
}: Options): RequestSlots {
  const nowMs = holder.clocks.steadyMs;
  const abandoned = new Map<string, Abandoned>();
  const pauseLeftMs = watchPauses(nowMs);

  async function free(account: string, lease: string, answeredMs: number): Promise<void> {
    const freedMs = nowMs();
    const cooldownMs = Math.max(0, SLOT_COOLDOWN_MS - (freedMs - answeredMs));
    // The latest id, not the one that took the slot: the times are by this process's clock.
    await table.free({ account, lease, freedBy: holder.lastId, answeredMs, freedMs, cooldownMs });
  }

  function resultOf(account: string, lease: string, holderId: string, answer: SlotAnswer): TakeAnswer {
    const pausedMs = pauseLeftMs(account, answer.pause);
    if (answer.isSpent) {
      return { exhaustedForMs: Math.max(1, Math.min(answer.dayLeftMs, dayShift?.().maxWaitMs ?? MAX_EXHAUSTED_MS)) };
    }
    if (answer.taken === null) return { retryInMs: RETRY_WHILE_ALL_TAKEN_MS };
    // guard: pause-of-everyone
    const waitMs = Math.max(0, pausedMs, cooldownLeftMs(answer.taken, holder, nowMs()));
    return { ticket: { slot: answer.taken.slot, lease, holder: holderId, waitMs } };
  }

  return {
    take: async (account, { mayUseReserve }) => {
      const holderId = holder.current;
      if (holderId === null) return { retryInMs: RETRY_WHILE_ALL_TAKEN_MS };
      const limits = limitsOf(account);
      // guard: reserve-of-a-day
      const dayBudget = mayUseReserve ? limits.perDay : usablePerDay(limits);
      const lease = newLease();
      const dayOffset = dayShift?.().days ?? 0;
      try {
        const slots = limits.perSecond;
        const answer = await table.take({ account, holder: holderId, lease, slots, dayBudget, dayOffset });
        return resultOf(account, lease, holderId, answer);
      } catch (error) {
        abandoned.set(lease, { account, sinceMs: nowMs() });
        throw error;
      }
    },
    stillHolds: (ticket) => holder.mayStillSend(ticket.holder),
    release: async (account, ticket, { sinceAnswerMs }) => {
      const answeredMs = nowMs() - sinceAnswerMs;
      try {
        await free(account, ticket.lease, answeredMs);
      } catch (error) {
        abandoned.set(ticket.lease, { account, sinceMs: nowMs() });
        throw error;
      }
    },
    pause: (account, forMs) => table.pause(account, forMs),
    freeAbandoned: async () => {
      for (const [lease, { account, sinceMs }] of abandoned) {
        // guard: lost-slots-come-back
        await freeUnknown(table, account, lease);
        if (nowMs() - sinceMs > ABANDONED_FOR_MS) abandoned.delete(lease);
      }
    },
  };
}

/** The last use is unknown: a lost statement may take the slot later, and others may have used it until then. */
function freeUnknown(table: SlotTable, account: string, lease: string): Promise<void> {
  return table.free({ account, lease, freedBy: null, answeredMs: null, freedMs: null, cooldownMs: SLOT_COOLDOWN_MS });
}

/** A pause lasts for its duration from when this process first saw it; the database's clock can only make it shorter. */
function watchPauses(nowMs: () => number): (account: string, pause: PauseRow) => number {
  const known = new Map<string, { key: string; endsAtMs: number }>();
  return (account, { key, forMs, leftMs }) => {
    const before = known.get(account);
    const seenEndMs = before?.key === key ? before.endsAtMs : nowMs() + forMs;
    const endsAtMs = Math.min(seenEndMs, nowMs() + Math.max(0, leftMs));
    known.set(account, { key, endsAtMs });
    return endsAtMs - nowMs();
  };
}
