import { randomUUID } from 'node:crypto';
import { type SendingLimits, usablePerDay } from '../../domain/runs/finishing-time.ts';
import { cooldownLeftMs, SLOT_COOLDOWN_MS } from './slot-cooldown.ts';
import type { SlotHolder } from './slot-holder.ts';
import type { PauseRow, SlotAnswer, SlotTable } from './slot-table.ts';

export interface SlotTicket {
  slot: number;
  lease: string;
  /** Whose it is: this process under the id that it had then. */
  holder: string;
  /** Milliseconds from now until the request may be sent. */
  waitMs: number;
}

/** `spentForMs`: the day's budget is used up, and worth asking about again after so long. */
export type TakeAnswer = { ticket: SlotTicket } | { retryInMs: number } | { spentForMs: number };

export interface RequestSlots {
  take(account: string, options: { mayUseReserve: boolean }): Promise<TakeAnswer>;
  /** Whether the slot is still ours: to be asked just before sending. */
  stillHolds(ticket: SlotTicket): boolean;
  /** `sinceAnswerMs`: how long ago its request was answered, or given up. */
  release(account: string, ticket: SlotTicket, outcome: { sinceAnswerMs: number }): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
  /** Frees what could not be freed when it was to be, and what was taken without our knowing. Worth calling often. */
  freeAbandoned(): Promise<void>;
}

/** What another day is in tests. Production counts by the database's clock alone. */
export interface DayShift {
  days: number;
  longestWaitMs: number;
}

/** When to ask again while every slot is out: they come back with nearly a second to go, so this loses nothing. */
const RETRY_WHILE_ALL_OUT_MS = 100;

/** A request that waits for the next day looks again now and then: the limit may be raised, or the clock corrected. */
const LONGEST_SPENT_MS = 3_600_000;

/** A statement that nobody answered may still be carried out, but not after this. */
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
 * The slots of the request gate, as many for each account as its limit allows in a second. The table says who has
 * which; this side says from when it may be used: a second after its last request was answered, so that however the
 * network splits its delay the next one arrives a second later at least.
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
    // Whatever id it was taken under, the times are of this process's clock.
    await table.free({ account, lease, freedBy: holder.lastId, answeredMs, freedMs, cooldownMs });
  }

  /**
   * Without a word about its last use: it may be taken only after this, by a statement on its way, and others may have
   * used it until then.
   */
  function freeUnknown(account: string, lease: string): Promise<void> {
    return table.free({ account, lease, freedBy: null, answeredMs: null, freedMs: null, cooldownMs: SLOT_COOLDOWN_MS });
  }

  function answerOf(account: string, lease: string, holderId: string, answer: SlotAnswer): TakeAnswer {
    const pausedMs = pauseLeftMs(account, answer.pause);
    if (answer.isSpent) {
      return { spentForMs: Math.max(1, Math.min(answer.dayLeftMs, dayShift?.().longestWaitMs ?? LONGEST_SPENT_MS)) };
    }
    if (answer.taken === null) return { retryInMs: RETRY_WHILE_ALL_OUT_MS };
    const waitMs = Math.max(0, pausedMs, cooldownLeftMs(answer.taken, holder, nowMs()));
    return { ticket: { slot: answer.taken.slot, lease, holder: holderId, waitMs } };
  }

  return {
    take: async (account, { mayUseReserve }) => {
      const holderId = holder.current;
      if (holderId === null) return { retryInMs: RETRY_WHILE_ALL_OUT_MS };
      const limits = limitsOf(account);
      const dayBudget = mayUseReserve ? limits.perDay : usablePerDay(limits);
      const lease = newLease();
      const dayOffset = dayShift?.().days ?? 0;
      try {
        const answer = await table.take({
          account,
          holder: holderId,
          lease,
          slots: limits.perSecond,
          dayBudget,
          dayOffset,
        });
        return answerOf(account, lease, holderId, answer);
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
        await freeUnknown(account, lease);
        if (nowMs() - sinceMs > ABANDONED_FOR_MS) abandoned.delete(lease);
      }
    },
  };
}

/** A pause lasts as long as it was asked for since we saw it; the database's clock can only make it shorter. */
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
