import { MAIN_TASK_QUEUE, moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Signals the watch of the account's money, and starts it if it does not run. */
export async function watchMoney(
  { temporal }: Pick<ApplicationDependencies, 'temporal'>,
  account: string,
  signal: 'historyAsked' | 'moneyHinted',
): Promise<void> {
  await temporal.workflow.signalWithStart('moneyWatch', {
    workflowId: moneyWatchWorkflowId(account),
    taskQueue: MAIN_TASK_QUEUE,
    args: [{ account }],
    signal,
    signalArgs: [],
    staticSummary: `Reads the history of balances on ${account}`,
  });
}

/** It reads the history at once, unless it was read just now. Without it, older balances are shown, with their age. */
export async function askForHistory(dependencies: ApplicationDependencies, account: string): Promise<void> {
  await watchMoney(dependencies, account, 'historyAsked').catch(() => undefined);
}
