import type { RateLimiter, RateLimiters } from '../../api/rate-limiter/rate-limiter.ts';
import { providerTaskQueue } from '../../domain/identifiers.ts';
import {
  countLeaseHolders,
  type RateLimiterRecord,
  readRateLimiters as readStored,
} from '../../store/rate-limiter/rate-limiter-views.ts';
import { readDayUse } from '../../store/payments/request-days.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';
import { readWaiting } from './task-queues.ts';

/** The rate limiters of the accounts that the user may use; what waits, as Temporal counts it. */
export async function readRateLimiters(dependencies: ApplicationDependencies, user: SignedIn): Promise<RateLimiters> {
  const { database, accounts } = dependencies;
  const stored = new Map((await readStored(database)).map((rateLimiter) => [rateLimiter.account, rateLimiter]));
  const shown = accounts.filter(({ name }) => mayUse(user, name));
  const rateLimiters = await Promise.all(
    shown.map((account) => rateLimiterOf(dependencies, account, stored.get(account.name))),
  );
  return { rateLimiters, processes: await countLeaseHolders(database) };
}

async function rateLimiterOf(
  { database, temporal }: ApplicationDependencies,
  account: ApplicationDependencies['accounts'][number],
  stored: RateLimiterRecord | undefined,
): Promise<RateLimiter> {
  return {
    account: account.name,
    limitPerSecond: account.requestsPerSecond,
    limitPerDay: account.requestsPerDay,
    reservedPerDay: account.requestsReservedPerDay,
    requestsToday: stored?.requestsToday ?? 0,
    dayEndsInSeconds: stored?.dayEndsInSeconds ?? (await readDayUse(database, account.name)).secondsLeft,
    leases: (stored?.leases ?? []).filter(({ number }) => number < account.requestsPerSecond),
    pause: pauseOf(stored),
    waiting: await readWaiting(temporal, providerTaskQueue(account.name)).catch(() => null),
  };
}

function pauseOf(stored: RateLimiterRecord | undefined): RateLimiter['pause'] {
  if (stored === undefined || stored.pausedUntil === null) return null;
  const { pauseLeftSeconds, pausedForSeconds, pausedUntil } = stored;
  return { secondsLeft: pauseLeftSeconds, forSeconds: pausedForSeconds, until: pausedUntil.toISOString() };
}
