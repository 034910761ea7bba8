import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { updateOutcomesOf } from '../../store/runs/run-outcome.ts';
import {
  listPendingNotifications,
  markNotified,
  type PendingNotification,
} from '../../store/payments/pending-notifications.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from './notify-workflow.ts';

const BATCH_SIZE = 100;

/**
 * Notifies each payment workflow that its payment has ended, then each run concerned. A repeated notification is harmless,
 * a lost one is not: a payment is marked as notified only after its workflow was.
 */
export function notifyEndedActivity({ database, temporal }: ActivityDependencies) {
  const notifyAll = async (pending: readonly PendingNotification[]): Promise<void> => {
    await Promise.all(
      pending.map(({ paymentId, state }) =>
        notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'paymentEnded', { state }),
      ),
    );
    const runIds = [...new Set(pending.map(({ runId }) => runId))];
    await Promise.all(runIds.map((runId) => notifyWorkflow(temporal, paymentRunWorkflowId(runId), 'paymentsEnded')));
    // A run that has ended has no workflow to update its outcome.
    await updateOutcomesOf(database, runIds);
    await markNotified(database, pending);
  };

  return async function notifyEnded({ account }: { account: string }): Promise<void> {
    for (;;) {
      const pending = await listPendingNotifications(database, account, BATCH_SIZE);
      if (pending.length === 0) return;
      await notifyAll(pending);
    }
  };
}
