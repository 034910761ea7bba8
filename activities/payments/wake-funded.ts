import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { payableFrom } from '../../domain/payments/payable-from.ts';
import { listAwaitingFunds, listRunsToBegin, noteFundsSeen } from '../../store/payments/awaiting-funds.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from './notify-workflow.ts';

/** Of each currency, looked at after one read of the balances; those beyond have their turn when these are funded. */
const MOST_LOOKED_AT = 2_000;

/**
 * Once the balances were read: wakes the payments that they can pay, in their order, and tells the runs that have rows to
 * begin. A payment whose news is lost hears of it after the next read.
 */
export function wakeFundedActivity({ database, temporal }: ActivityDependencies) {
  return async function wakeFunded({ account }: { account: string }): Promise<{ woken: number }> {
    const paymentIds = payableFrom(await listAwaitingFunds(database, account, MOST_LOOKED_AT));
    await noteFundsSeen(database, paymentIds);
    await Promise.all(
      paymentIds.map((paymentId) => notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'fundsArrived')),
    );
    await notifyRuns({ database, temporal }, account);
    return { woken: paymentIds.length };
  };
}

/** Once payments wait no more, however that came: rows that waited behind them may be begun. */
export function tellRunsToBeginActivity({ database, temporal }: ActivityDependencies) {
  return async function tellRunsToBegin({ account }: { account: string }): Promise<void> {
    await notifyRuns({ database, temporal }, account);
  };
}

async function notifyRuns(
  { database, temporal }: Pick<ActivityDependencies, 'database' | 'temporal'>,
  account: string,
): Promise<void> {
  const runIds = await listRunsToBegin(database, account);
  await Promise.all(runIds.map((runId) => notifyWorkflow(temporal, paymentRunWorkflowId(runId), 'paymentsSettled')));
}
