import { setCurrentDetails, setWorkflowOptions } from '@temporalio/workflow';
import { historyActivities, mainActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { BookCloseInput } from './messages.ts';

const DAY_MS = 86_400_000;

/** A time that is not divided further. */
const LEAST_RANGE_MS = 60_000;

/**
 * The books of one account and day: `collecting` what the provider lists, then `matched` with our record. People sign them;
 * the database closes them once all breaks are. It may run again until they are closed.
 */
export async function bookClose({ account, day }: BookCloseInput): Promise<{ outcome: string; breaks: number }> {
  setCurrentDetails('collecting: reads what the provider lists');
  const fromMs = Date.parse(day);
  // They only name what else would be unexplained: without them the day is reconciled as well.
  await readPayments({ account, day, fromMs, toMs: fromMs + DAY_MS }).catch(rethrowCancellation);
  await historyActivities(account, 'last')
    .readListedConversions({ account, day, fromMs, toMs: fromMs + DAY_MS })
    .catch(rethrowCancellation);
  setCurrentDetails('matching the history with the database');
  const { outcome, breaks } = await mainActivities.reconcileDay({ account, day });
  setCurrentDetails(outcome === 'stored' ? `matched, ${breaks} breaks` : outcome);
  return { outcome, breaks };
}

setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, bookClose);

/** A list that seems to be capped is read again in halves. */
async function readPayments(whole: { account: string; day: string; fromMs: number; toMs: number }): Promise<void> {
  const ranges = [whole];
  for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
    const { isComplete } = await historyActivities(whole.account, 'last').readListedPayments(range);
    const { fromMs, toMs } = range;
    if (isComplete || toMs - fromMs <= LEAST_RANGE_MS) continue;
    const middleMs = fromMs + Math.floor((toMs - fromMs) / 2);
    ranges.push({ ...range, toMs: middleMs }, { ...range, fromMs: middleMs });
  }
}
