import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ENGINE_TASK_QUEUE, paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { ACCOUNT, RUN_ID, STATE } from '../../domain/search-attributes.ts';
import { listUnstartedRuns } from '../../store/runs.ts';
import type { PaymentRunInput } from '../../workflows/messages.ts';
import type { EngineDependencies } from './engine-dependencies.ts';

export interface StoredRun {
  runId: string;
  account: string;
}

/** Starts the workflow of a stored run. Starting it again changes nothing. */
export async function startRun({ temporal, settings }: EngineDependencies, run: StoredRun): Promise<void> {
  const input: PaymentRunInput = {
    ...run,
    decisionWithinMs: settings.decisionWithinMs,
    windowSize: settings.windowSizeOf(run.account),
  };
  try {
    await temporal.workflow.start('paymentRun', {
      workflowId: paymentRunWorkflowId(run.runId),
      taskQueue: ENGINE_TASK_QUEUE,
      args: [input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      staticSummary: `Payment run on ${run.account}`,
      typedSearchAttributes: [
        { key: RUN_ID, value: run.runId },
        { key: ACCOUNT, value: run.account },
        { key: STATE, value: 'validating' },
      ],
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}

/**
 * Starts the runs that were stored but whose start was cut off by a crash. Called when a server starts, so that no
 * accepted file is ever left lying.
 */
export async function startForgottenRuns(dependencies: EngineDependencies): Promise<number> {
  const forgotten = await listUnstartedRuns(dependencies.database);
  for (const run of forgotten) await startRun(dependencies, run);
  return forgotten.length;
}
