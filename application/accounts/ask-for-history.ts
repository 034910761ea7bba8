import { MAIN_TASK_QUEUE, moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Starts the watch of the account's money: it reads the history at once, unless it was read just now. */
export async function askForHistory({ temporal }: ApplicationDependencies, account: string): Promise<void> {
  await temporal.workflow
    .signalWithStart('moneyWatch', {
      workflowId: moneyWatchWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'historyAsked',
      signalArgs: [],
      staticSummary: `Reads the history of balances on ${account}`,
    })
    // Without it, older balances are shown, with their age.
    .catch(() => undefined);
}
