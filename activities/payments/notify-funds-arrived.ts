import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { selectAffordable } from '../../domain/payments/affordable-payments.ts';
import {
  type FundsSource,
  listAwaitingFunds,
  listRunsToBegin,
  noteFundsSeen,
} from '../../store/payments/awaiting-funds.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from './notify-workflow.ts';

/** Payments of each currency that are notified after one read; the others follow when these are funded. */
const MAX_PER_CURRENCY = 2_000;

/**
 * After the balances were read, or the history: notifies the payments that the money is enough for, in order, and the runs that
 * have rows to begin. If a notification is lost, the payment is notified after the next read.
 */
export function notifyFundsArrivedActivity({ database, temporal }: ActivityDependencies) {
  return async function notifyFundsArrived({
    account,
    source,
  }: {
    account: string;
    source: FundsSource;
  }): Promise<void> {
    const paymentIds = selectAffordable(await listAwaitingFunds(database, account, source, MAX_PER_CURRENCY));
    await noteFundsSeen(database, paymentIds);
    await Promise.all(
      paymentIds.map((paymentId) => notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'fundsArrived')),
    );
    await notifyRuns({ database, temporal }, account);
  };
}

/** After fewer payments wait for funds: rows that waited behind them may be begun. */
export function notifyRunsToBeginActivity({ database, temporal }: ActivityDependencies) {
  return async function notifyRunsToBegin({ account }: { account: string }): Promise<void> {
    await notifyRuns({ database, temporal }, account);
  };
}

async function notifyRuns(
  { database, temporal }: Pick<ActivityDependencies, 'database' | 'temporal'>,
  account: string,
): Promise<void> {
  const runIds = await listRunsToBegin(database, account);
  await Promise.all(runIds.map((runId) => notifyWorkflow(temporal, paymentRunWorkflowId(runId), 'paymentsEnded')));
}
