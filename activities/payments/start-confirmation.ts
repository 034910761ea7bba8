import { confirmationWorkflowId, MAIN_TASK_QUEUE } from '../../domain/identifiers.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Starts the account's confirmation sweep. If it is already running, has it plan its next read at once. */
export function startConfirmationActivity({ temporal }: ActivityDependencies) {
  return async function startConfirmation({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('confirmation', {
      workflowId: confirmationWorkflowId(account),
      taskQueue: MAIN_TASK_QUEUE,
      args: [{ account }],
      signal: 'webhookHinted',
      signalArgs: [],
      staticSummary: `Confirms payments in flight on ${account}`,
    });
  };
}
