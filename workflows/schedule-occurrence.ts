import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  setCurrentDetails,
  setWorkflowOptions,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import { conversionActivities, mainActivities, occurrenceActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { OccurrenceInput } from './messages.ts';

/** Set by Temporal. */
const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

const FIRST_LOOK_MS = 500;
const MAX_LOOK_MS = 30_000;

/**
 * One occurrence of a schedule: is it due, what does it need to know, which orders does it place, what do the guards say. The
 * database decides each of these. It fails only when the database has paused the schedule, so that Temporal's schedule is paused
 * at once as well.
 */
export async function scheduleOccurrence({ scheduleId, occurrenceId }: OccurrenceInput): Promise<{ ended: string }> {
  const scheduledAtMs = scheduledStart();
  const begun = await mainActivities.beginOccurrence({
    ...{ scheduleId, occurrenceId: occurrenceId ?? null, scheduledAtMs },
  });
  if (begun.kind === 'not_due' || begun.kind === 'ended') return { ended: begun.kind };
  const { ended, pause } = await carryOut(begun);
  setCurrentDetails(`${ended.replaceAll('_', ' ')}.`);
  if (pause === null) return { ended };
  throw ApplicationFailure.nonRetryable(`the schedule is paused: ${pause}`, 'SchedulePaused');
}

// It may wait a day for an approval, so it moves to the current version.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, scheduleOccurrence);

/** The time for which Temporal's schedule has started this, without its jitter; null: it was started by hand. */
function scheduledStart(): number | null {
  return workflowInfo().typedSearchAttributes.get(SCHEDULED_START)?.getTime() ?? null;
}

type Begun = Extract<Awaited<ReturnType<typeof mainActivities.beginOccurrence>>, { kind: 'begun' | 'placed' }>;
type Ended = NonNullable<Awaited<ReturnType<typeof mainActivities.concludeOccurrence>>>;

async function carryOut(begun: Begun): Promise<Ended> {
  const { occurrenceId } = begun;
  try {
    if (begun.kind === 'begun') await placeOrders(begun);
  } catch (error) {
    rethrowCancellation(error);
    const failed = await mainActivities.failOccurrence({ occurrenceId, isOutage: isOutage(error) });
    if (failed !== null) return failed;
  }
  return untilDecided(occurrenceId);
}

/** Whether an activity came to its time limit, and none of its attempts has failed by itself: no worker was there. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof ActivityFailure)) return false;
  let { cause } = error;
  while (cause instanceof TimeoutFailure) {
    if (cause.cause === undefined) return true;
    ({ cause } = cause);
  }
  return false;
}

/** What it finds out, prices and amounts, is in the database: activities are told which occurrence they are for. */
async function placeOrders({ occurrenceId, account, followsMoney }: Extract<Begun, { kind: 'begun' }>): Promise<void> {
  const reading = conversionActivities(account, 'read');
  if (followsMoney) {
    // Without these it acts on what was read before, or says that the money is not known.
    await reading.readHistory({ account, of: 'news' }).catch(rethrowCancellation);
    await reading.readBalances({ account }).catch(rethrowCancellation);
  }
  const { why, quotes } = await occurrenceActivities.planOccurrence({ occurrenceId });
  if (why !== null) return;
  // Without a price, a sweep places nothing, and others place what they have a price for.
  for (let n = 0; n < quotes; n++) await reading.quotePair({ occurrenceId, n }).catch(rethrowCancellation);
  await occurrenceActivities.placeScheduledOrders({ occurrenceId });
}

/** The guards decide within seconds; a person who has to approve may take a day. */
async function untilDecided(occurrenceId: string): Promise<Ended> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_LOOK_MS)) {
    const ended = await mainActivities.concludeOccurrence({ occurrenceId });
    if (ended !== null) return ended;
    await sleep(pauseMs);
  }
}
