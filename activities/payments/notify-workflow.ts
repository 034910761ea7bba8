import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** Signals a workflow; does nothing if it has ended. */
export async function notifyWorkflow(
  temporal: Client,
  workflowId: string,
  signal: string,
  ...args: unknown[]
): Promise<void> {
  try {
    await temporal.workflow.getHandle(workflowId).signal(signal, ...args);
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
