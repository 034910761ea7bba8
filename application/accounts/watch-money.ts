import { MAIN_TASK_QUEUE, moneyWatchWorkflowId } from '../../domain/identifiers.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { atMostEvery } from '../at-most-every.ts';

/** Signals the watch of the account's money, and starts it if it does not run. */
export async function watchMoney(
  { temporal }: Pick<ApplicationDependencies, 'temporal'>,
  account: string,
  signal: 'historyRequested' | 'pollRequested' | 'webhookReceived',
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

/** Pages ask for balances again and again, each for every account: Temporal is notified once in a while. */
const ASK_EVERY_MS = 5_000;
const asking = new WeakMap<ApplicationDependencies['temporal'], Map<string, ReturnType<typeof atMostEvery>>>();

/** It reads the history at once, unless it was read just now. Without it, older balances are shown, with their age. */
export async function requestHistory(dependencies: ApplicationDependencies, account: string): Promise<void> {
  const { temporal } = dependencies;
  const byAccount = asking.get(temporal) ?? new Map<string, ReturnType<typeof atMostEvery>>();
  asking.set(temporal, byAccount);
  const ask =
    byAccount.get(account) ?? atMostEvery(ASK_EVERY_MS, (given) => watchMoney(given, account, 'historyRequested'));
  byAccount.set(account, ask);
  await ask(dependencies).catch(() => undefined);
}
