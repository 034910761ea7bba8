import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { listUnsentPayments } from '../../store/runs/open-payments.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from '../payments/notify-workflow.ts';

/** Notifies the begun, unsent payments of a run that a stop was made, lifted or made final. */
export function notifyStopChangedActivity({ database, temporal }: ActivityDependencies) {
  return async function notifyStopChanged({ runId }: { runId: string }): Promise<void> {
    const paymentIds = await listUnsentPayments(database, runId);
    await Promise.all(
      paymentIds.map((paymentId) => notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'stopChanged')),
    );
  };
}
