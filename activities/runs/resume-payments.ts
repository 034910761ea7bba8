import { paymentWorkflowId } from '../../domain/identifiers.ts';
import { listUnsentPayments } from '../../store/runs/run-planning.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { notifyWorkflow } from '../payments/notify-workflow.ts';

/** Tells the payments of a run that were begun and are not sent to look again: a stop was made, lifted or made final. */
export function resumePaymentsActivity({ database, temporal }: ActivityDependencies) {
  return async function resumePayments({ runId }: { runId: string }): Promise<void> {
    const paymentIds = await listUnsentPayments(database, runId);
    await Promise.all(
      paymentIds.map((paymentId) => notifyWorkflow(temporal, paymentWorkflowId(paymentId), 'stopChanged')),
    );
  };
}
