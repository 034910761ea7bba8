import { paymentRunWorkflowId, paymentWorkflowId } from '../../domain/identifiers.ts';
import { followRowsOf } from '../../store/runs/run-outcome.ts';
import { listUntold, markTold, type UntoldPayment } from '../../store/payments/pending-notifications.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { tellWorkflow } from './notify-workflow.ts';

const BATCH_SIZE = 100;

/**
 * Tells each payment workflow that its payment has ended, then each run concerned. Told twice is harmless, never told
 * is not: a payment counts as told only after its workflow was.
 */
export function tellSettledActivity({ database, temporal }: ActivityDependencies) {
  const tellBatch = async (untold: readonly UntoldPayment[]): Promise<void> => {
    await Promise.all(
      untold.map(({ paymentId, state }) =>
        tellWorkflow(temporal, paymentWorkflowId(paymentId), 'paymentSettled', { state }),
      ),
    );
    const runIds = [...new Set(untold.map(({ runId }) => runId))];
    await Promise.all(runIds.map((runId) => tellWorkflow(temporal, paymentRunWorkflowId(runId), 'paymentsSettled')));
    // A run that has ended is told by nobody: its outcome follows here.
    await followRowsOf(database, runIds);
    await markTold(database, untold);
  };

  return async function tellSettled({ account }: { account: string }): Promise<{ told: number }> {
    let told = 0;
    for (;;) {
      const untold = await listUntold(database, account, BATCH_SIZE);
      if (untold.length === 0) return { told };
      await tellBatch(untold);
      told += untold.length;
    }
  };
}
