import { confirmationWorkflowId, ENGINE_TASK_QUEUE } from '../../domain/identifiers.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Sees to it that the account's confirmation sweep runs, and has it look at once if it runs already. */
export function startConfirmationActivity({ temporal }: ActivityDependencies) {
  return async function startConfirmation({ account }: { account: string }): Promise<void> {
    await temporal.workflow.signalWithStart('confirmation', {
      workflowId: confirmationWorkflowId(account),
      taskQueue: ENGINE_TASK_QUEUE,
      args: [{ account }],
      signal: 'webhookHinted',
      signalArgs: [],
      staticSummary: `Confirms what is in flight on ${account}`,
    });
  };
}
