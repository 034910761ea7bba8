import { executeChild, ParentClosePolicy, setCurrentDetails, setWorkflowOptions, sleep } from '@temporalio/workflow';
import { bookCloseWorkflowId } from '../domain/identifiers.ts';
import { historyActivities, mainActivities } from './activity-options.ts';
import { bookClose } from './book-close.ts';
import { rethrowCancellation } from './cancellation.ts';
import type { DailyBooksInput } from './messages.ts';

/** After the balances were read: entries that belong to them are in the history by then. */
const BETWEEN_READS = '20 seconds';

const RETRY_AFTER = '30 minutes';
const MAX_TRIES = 24;

/**
 * Reconciles the days of an account that were not yet, or those that somebody asked for: reads the balances and their history,
 * then closes one day after another, as each begins with what the one before left open.
 */
export async function dailyBooks({ account, fromDay, toDay }: DailyBooksInput): Promise<{ days: string[] }> {
  setCurrentDetails('Reads the balances and their history.');
  await readHistory(account);
  const { days } = await mainActivities.planBooks({ account, fromDay, toDay });
  for (const day of days) {
    setCurrentDetails(`Reconciles ${day}, of ${days.length} days.`);
    const { outcome } = await executeChild(bookClose, {
      workflowId: bookCloseWorkflowId(account, day),
      args: [{ account, day }],
      parentClosePolicy: ParentClosePolicy.TERMINATE,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      staticSummary: `Reconciles ${account} on ${day}`,
    });
    if (outcome === 'too_early') break;
  }
  return { days };
}

setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, dailyBooks);

/** Without the history there is nothing to reconcile: it is tried for half a day. */
async function readHistory(account: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      const provider = historyActivities(account, 'waitedFor');
      await provider.readBalances({ account });
      await sleep(BETWEEN_READS);
      await provider.readHistory({ account, of: 'news' });
      return;
    } catch (error) {
      rethrowCancellation(error);
      if (tries >= MAX_TRIES) throw error;
      await sleep(RETRY_AFTER);
    }
  }
}
