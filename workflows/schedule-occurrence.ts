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
import { sweepQuote } from '../domain/treasury/conversion-amount.ts';
import type { QuotedPair } from '../domain/treasury/indicative-prices.ts';
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
  let why: string | null = null;
  try {
    if (begun.kind === 'begun') why = await placeOrders(begun);
  } catch (error) {
    rethrowCancellation(error);
    const failed = await mainActivities.failOccurrence({ occurrenceId, isOutage: isOutage(error) });
    if (failed !== null) return failed;
  }
  return untilDecided(occurrenceId, why);
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

/** Why there is no order; null: there are some. */
async function placeOrders({
  occurrenceId,
  account,
  followsMoney,
}: Extract<Begun, { kind: 'begun' }>): Promise<string | null> {
  const reading = conversionActivities(account, 'read');
  if (followsMoney) {
    // Without these it acts on what was read before, or says that the money is not known.
    await reading.readHistory({ account, of: 'news' }).catch(rethrowCancellation);
    await reading.readBalances({ account }).catch(rethrowCancellation);
  }
  const plan = await occurrenceActivities.planOccurrence({ occurrenceId });
  if (plan.kind === 'no_order') return plan.why;
  if (plan.kind === 'sweep') return sweep({ occurrenceId, account }, plan);
  const quotes: QuotedPair[] = [];
  for (const quote of plan.quotes) {
    const quoted = await reading.quotePair({ account, quote }).catch(rethrowCancellation);
    if (quoted !== undefined && quoted !== null) quotes.push(quoted);
  }
  return (await occurrenceActivities.placeScheduledOrders({ occurrenceId, quotes })).why;
}

type Plan = Awaited<ReturnType<typeof occurrenceActivities.planOccurrence>>;

/** Finds by quotes how much can be sold so that the floor stays with the fees. */
async function sweep(
  { occurrenceId, account }: { occurrenceId: string; account: string },
  { quote, decimals }: Extract<Plan, { kind: 'sweep' }>,
): Promise<string | null> {
  const surplus = quote.amount;
  let amount = surplus;
  for (let quotes = 1; ; quotes++) {
    const asked = { account, quote: { ...quote, amount } };
    const quoted = await conversionActivities(account, 'read').quotePair(asked).catch(rethrowCancellation);
    if (quoted === undefined) return 'no_quote';
    if (quoted === null) return 'quote_refused';
    const verdict = sweepQuote({ surplus, asked: amount, total: quoted.totalAmount, quotes }, decimals);
    if (verdict.kind === 'does_not_fit') return 'sweep_does_not_fit';
    if (verdict.kind === 'fits') {
      const placed = { occurrenceId, quotes: [quoted], sweep: { surplus, amount } };
      return (await occurrenceActivities.placeScheduledOrders(placed)).why;
    }
    amount = verdict.amount;
  }
}

/** The guards decide within seconds; a person who has to approve may take a day. */
async function untilDecided(occurrenceId: string, why: string | null): Promise<Ended> {
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_LOOK_MS)) {
    const ended = await mainActivities.concludeOccurrence({ occurrenceId, why });
    if (ended !== null) return ended;
    await sleep(pauseMs);
  }
}
