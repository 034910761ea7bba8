import { setTimeout as sleep } from 'node:timers/promises';
import { refusalsInWords } from '../../domain/payments/refusal-streak.ts';
import type { Database } from '../../store/database/database.ts';
import {
  cancelRunAs,
  countStopped,
  liftStopAs,
  listPayingRuns,
  listStops as listStored,
  type StopCounts,
  stopPaymentsAs,
  type StopRecord,
  type StopScope,
} from '../../store/approvals/stops.ts';
import type { CancelledRun, CreatedStop, LiftedStop, StopLift, StopSummary } from '../../api/approvals/stop.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyOfStop } from '../runs/notify-runs.ts';

/**
 * Stops a run, an account or everything. Once the stop is in the database nothing more is sent: workers check it just
 * before each request. Workflows need no notification for that.
 */
export async function stopPayments(
  { database }: ApplicationDependencies,
  user: SignedIn,
  of: StopScope,
  reason: string | null,
): Promise<CreatedStop> {
  const { stopId } = await asApplicationError(stopPaymentsAs(database, user.tokenHash, of, reason));
  if (of.scope !== 'run') return { stopId, counts: null };
  // The stop is active, whether or not its rows can be counted.
  const counts = await Promise.race([
    finalCounts(database, of.runId),
    sleep(COUNT_WITHIN_MS, null, { ref: false }),
  ]).catch(() => null);
  return { stopId, counts };
}

/** Waits until requests that had left are answered and queued ones are held back: only then are the counts final. */
async function finalCounts(database: Database, runId: string): Promise<StopCounts> {
  for (let waitedMs = 0; ; waitedMs += COUNT_EVERY_MS) {
    const counts = await countStopped(database, runId);
    if (counts.underWay === 0 || waitedMs >= COUNT_FOR_MS) return counts;
    await sleep(COUNT_EVERY_MS);
  }
}

const COUNT_FOR_MS = 3_000;
const COUNT_WITHIN_MS = 6_000;
const COUNT_EVERY_MS = 100;

/** The first call requests it, the second one, by a checker other than the requester, lifts it. */
export async function liftStop(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  stopId: string,
  { liftRequestedBy }: StopLift,
): Promise<LiftedStop> {
  const { database } = dependencies;
  const stop = (await listStored(database, { runId: null, accounts: null })).find(
    (candidate) => candidate.stopId === stopId,
  );
  const lifted = await asApplicationError(liftStopAs(database, user.tokenHash, { stopId, askedBy: liftRequestedBy }));
  if (lifted.state === 'lifted') await notifyStopped(dependencies, stop);
  return lifted;
}

/** Ends a stopped run for good: unsent rows are never sent, and their references are free again. */
export async function cancelRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  reason: string | null,
): Promise<CancelledRun> {
  const cancelled = await asApplicationError(cancelRunAs(dependencies.database, user.tokenHash, runId, reason));
  await notifyOfStop(dependencies, runId);
  return cancelled;
}

export async function listStops({ database }: ApplicationDependencies, { accounts }: SignedIn): Promise<StopSummary[]> {
  return (await listStored(database, { runId: null, accounts })).map(summaryOf);
}

async function notifyStopped(dependencies: ApplicationDependencies, stop: StopRecord | undefined): Promise<void> {
  const { database } = dependencies;
  const runs =
    stop === undefined || stop.runId === null ? await listPayingRuns(database, stop?.account ?? null) : [stop.runId];
  for (const runId of runs) await notifyOfStop(dependencies, runId);
}

export function summaryOf({ stoppedAt, liftRequestedAt, cancelledAt, ...stop }: StopRecord): StopSummary {
  return {
    ...stop,
    reason: stop.refusals === null ? stop.reason : refusalsInWords(stop.refusals),
    stoppedAt: stoppedAt.toISOString(),
    liftRequestedAt: liftRequestedAt?.toISOString() ?? null,
    isCancelled: cancelledAt !== null,
  };
}
