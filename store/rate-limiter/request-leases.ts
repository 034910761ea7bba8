import { randomUUID } from 'node:crypto';
import { type SendingLimits, usablePerDay } from '../../domain/runs/sending-limits.ts';
import { cooldownLeftMs, LEASE_COOLDOWN_MS } from './lease-cooldown.ts';
import type { LeaseHolder } from './lease-holder.ts';
import type { PauseRow, LeaseAnswer, LeaseTable } from './lease-table.ts';

export interface Lease {
  number: number;
  id: string;
  /** The id that this process had when it took the lease. */
  holder: string;
  /** Milliseconds from now until the request may be sent. */
  waitMs: number;
}

/** `retryInMs`: every lease is taken. `exhaustedForMs`: the day's budget is used up; try again after this long. */
export type TakeAnswer = { lease: Lease } | { retryInMs: number } | { exhaustedForMs: number };

export interface RequestLeases {
  take(account: string, options: { mayUseReserve: boolean }): Promise<TakeAnswer>;
  /** Whether this process still has the lease. To check just before sending. */
  stillHolds(lease: Lease): boolean;
  /** `sinceAnswerMs`: how long ago the request was answered or given up. `roundTripMs`: how long the answer took, if there was one. */
  release(
    account: string,
    lease: Lease,
    outcome: { sinceAnswerMs: number; roundTripMs?: number | null },
  ): Promise<void>;
  pause(account: string, forMs: number): Promise<void>;
  /** Frees leases whose release failed, and leases taken by a statement whose answer was lost. To call often. */
  freeAbandoned(): Promise<void>;
}

/** Shifts the day in tests. In production only the database's clock counts. */
export interface DayShift {
  days: number;
  maxWaitMs: number;
}

/** Retry interval while every lease is taken. Leases are freed nearly a second before they may be used, so no time is lost. */
const RETRY_WHILE_ALL_TAKEN_MS = 100;

/** A request that waits for the next day retries after this long at most: the limit may be raised, or the clock corrected. */
const MAX_EXHAUSTED_MS = 3_600_000;

/** A statement without an answer may still be executed, but not after this long. */
const ABANDONED_FOR_MS = 600_000;

interface Options {
  table: LeaseTable;
  holder: LeaseHolder;
  limitsOf: (account: string) => SendingLimits;
  newLeaseId?: () => string;
  dayShift?: () => DayShift;
}

interface Abandoned {
  account: string;
  sinceMs: number;
}

/**
 * The leases of the rate limiter: for each account as many as its limit allows in a second. The table decides who has a lease;
 * this function decides from when it may be used: a second after its last request was answered. So the next request
 * arrives at least a second later, whatever the network delays.
 */
export function createRequestLeases({
  table,
  holder,
  limitsOf,
  newLeaseId = randomUUID,
  dayShift,
}: Options): RequestLeases {
  const nowMs = holder.clocks.steadyMs;
  const abandoned = new Map<string, Abandoned>();
  const pauseLeftMs = watchPauses(nowMs);

  async function free(
    account: string,
    leaseId: string,
    { answeredMs, roundTripMs }: { answeredMs: number; roundTripMs: number | null },
  ): Promise<void> {
    const freedMs = nowMs();
    const cooldownMs = Math.max(0, LEASE_COOLDOWN_MS - (freedMs - answeredMs));
    // The latest id, not the one that took the lease: the times are by this process's clock.
    await table.free({ account, leaseId, freedBy: holder.lastId, answeredMs, freedMs, cooldownMs, roundTripMs });
  }

  function resultOf(account: string, leaseId: string, holderId: string, answer: LeaseAnswer): TakeAnswer {
    const pausedMs = pauseLeftMs(account, answer.pause);
    if (answer.isSpent) {
      return { exhaustedForMs: Math.max(1, Math.min(answer.dayLeftMs, dayShift?.().maxWaitMs ?? MAX_EXHAUSTED_MS)) };
    }
    if (answer.taken === null) return { retryInMs: RETRY_WHILE_ALL_TAKEN_MS };
    // guard: pause-of-everyone
    const waitMs = Math.max(0, pausedMs, cooldownLeftMs(answer.taken, holder, nowMs()));
    return { lease: { number: answer.taken.number, id: leaseId, holder: holderId, waitMs } };
  }

  return {
    take: async (account, { mayUseReserve }) => {
      const holderId = holder.current;
      if (holderId === null) return { retryInMs: RETRY_WHILE_ALL_TAKEN_MS };
      const limits = limitsOf(account);
      // guard: reserve-of-a-day
      const dayBudget = mayUseReserve ? limits.perDay : usablePerDay(limits);
      const leaseId = newLeaseId();
      const dayOffset = dayShift?.().days ?? 0;
      try {
        const leases = limits.perSecond;
        const answer = await table.take({ account, holder: holderId, leaseId, leases, dayBudget, dayOffset });
        return resultOf(account, leaseId, holderId, answer);
      } catch (error) {
        abandoned.set(leaseId, { account, sinceMs: nowMs() });
        throw error;
      }
    },
    stillHolds: (lease) => holder.mayStillSend(lease.holder),
    release: async (account, lease, { sinceAnswerMs, roundTripMs = null }) => {
      const answeredMs = nowMs() - sinceAnswerMs;
      try {
        await free(account, lease.id, { answeredMs, roundTripMs });
      } catch (error) {
        abandoned.set(lease.id, { account, sinceMs: nowMs() });
        throw error;
      }
    },
    pause: (account, forMs) => table.pause(account, forMs),
    freeAbandoned: async () => {
      for (const [leaseId, { account, sinceMs }] of abandoned) {
        // guard: lost-leases-come-back
        await freeUnknown(table, account, leaseId);
        if (nowMs() - sinceMs > ABANDONED_FOR_MS) abandoned.delete(leaseId);
      }
    },
  };
}

/** The last use is unknown: a lost statement may take the lease later, and others may have used it until then. */
function freeUnknown(table: LeaseTable, account: string, leaseId: string): Promise<void> {
  return table.free({
    account,
    leaseId,
    freedBy: null,
    answeredMs: null,
    freedMs: null,
    cooldownMs: LEASE_COOLDOWN_MS,
    roundTripMs: null,
  });
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
