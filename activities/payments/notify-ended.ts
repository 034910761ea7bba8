import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { followRowsOf } from '../../store/runs/run-outcome.ts';
import {
  listPendingNotifications,
  markNotified,
  type PendingNotification,
} from '../../store/payments/pending-notifications.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from './notify-workflow.ts';

const BATCH_SIZE = 100;

/**
 * Tells each payment workflow that its payment has ended, then each run concerned. Told twice is harmless, never told
 * is not: a payment counts as told only after its workflow was.
 */
export function tellSettledActivity({ database, temporal }: ActivityDependencies) {
  const notifyAll = async (pending: readonly PendingNotification[]): Promise<void> => {
    await Promise.all(
      pending.map(({ paymentId, state }) =>
        notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'paymentSettled', { state }),
      ),
    );
    const runIds = [...new Set(pending.map(({ runId }) => runId))];
    await Promise.all(runIds.map((runId) => notifyWorkflow(temporal, paymentRunWorkflowId(runId), 'paymentsSettled')));
    // A run that has ended is told by nobody: its outcome follows here.
    await followRowsOf(database, runIds);
    await markNotified(database, pending);
  };

  return async function tellSettled({ account }: { account: string }): Promise<{ told: number }> {
    let told = 0;
    for (;;) {
      const pending = await listPendingNotifications(database, account, BATCH_SIZE);
      if (pending.length === 0) return { told };
      await notifyAll(pending);
      told += pending.length;
    }
  };
}
