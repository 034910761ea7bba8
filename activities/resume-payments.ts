import { WorkflowNotFoundError } from '@temporalio/client';
import { paymentWorkflowId } from '../domain/identifiers.ts';
import { listUnsentPayments } from '../store/run-planning.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Tells the payments of a run that were begun and are not sent to look again: a stop was made, lifted or made final. */
export function resumePaymentsActivity({ database, temporal }: ActivityDependencies) {
  return async function resumePayments({ runId }: { runId: string }): Promise<void> {
    const paymentIds = await listUnsentPayments(database, runId);
    await Promise.all(
      paymentIds.map(async (paymentId) => {
        try {
          await temporal.workflow.getHandle(paymentWorkflowId(paymentId)).signal('stopChanged');
        } catch (error) {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        }
      }),
    );
  };
}
