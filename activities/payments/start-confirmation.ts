import { confirmationWorkflowId, MAIN_TASK_QUEUE, moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import { ensureDailyBooks } from '../reconciliation/daily-books-schedule.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Starts the account's confirmation sweep and the watch of its money. If they are already running, has them plan their next
 * read at once. From then on the account's books are made every day.
 */
export function startConfirmationActivity({ temporal }: ActivityDependencies) {
  return async function startConfirmation({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('confirmation', {
      workflowId: confirmationWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'webhookHinted',
      signalArgs: [],
      staticSummary: `Confirms payments in flight on ${account}`,
    });
    await temporal.workflow.signalWithStart('moneyWatch', {
      workflowId: moneyWatchWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'moneyHinted',
      signalArgs: [],
      staticSummary: `Reads the history of balances on ${account}`,
    });
    // Payments do not wait for it: the next run tries again.
    await ensureDailyBooks(temporal, account).catch(() => undefined);
  };
}
