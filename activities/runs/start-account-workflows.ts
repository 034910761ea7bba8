import { paymentStatusPollerWorkflowId, MAIN_TASK_QUEUE, moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import { ensureDailyBooks } from '../reconciliation/daily-books-schedule.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Starts the account's poller of payment statuses and the watch of its money. If they are already running, has them plan their
 * next read at once. From then on the account's books are made every day.
 */
export function startAccountWorkflowsActivity({ temporal }: Pick<ActivityDependencies, 'temporal'>) {
  return async function startAccountWorkflows({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('paymentStatusPoller', {
      workflowId: paymentStatusPollerWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'pollRequested',
      signalArgs: [],
      staticSummary: `Reads the status of payments in flight on ${account}`,
    });
    await temporal.workflow.signalWithStart('moneyWatch', {
      workflowId: moneyWatchWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'pollRequested',
      signalArgs: [],
      staticSummary: `Reads the history of balances on ${account}`,
    });
    // Payments do not wait for it: the next run tries again.
    await ensureDailyBooks(temporal, account).catch(() => undefined);
  };
}
