import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { ENGINE_TASK_QUEUE, paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { ACCOUNT, RUN_ID, STATE } from '../../domain/runs/search-attributes.ts';
import { listRunsToResume, listUnstartedRuns } from '../../store/runs/runs.ts';
import type { PaymentRunInput } from '../../workflows/messages.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

export interface StoredRun {
  runId: string;
  account: string;
}

/** Starts the workflow of a stored run, unless it runs. One that was ended from outside goes on from the record. */
export async function startRun({ temporal, settings }: ApplicationDependencies, run: StoredRun): Promise<void> {
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
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
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
export async function startForgottenRuns(dependencies: ApplicationDependencies): Promise<number> {
  const forgotten = await listUnstartedRuns(dependencies.database);
  for (const run of forgotten) await startRun(dependencies, run);
  return forgotten.length;
}

/** Runs looked at in one turn, so that the turns of a server with thousands of open runs cost no more. */
const RESUMED_AT_A_TIME = 50;

/**
 * Starts the workflows of open runs again that are gone: whoever reaches Temporal can end one, and a restored Temporal
 * knows none. Each call takes the next runs, the oldest first; starting one that runs does nothing.
 */
export function resumingLostRuns(): (dependencies: ApplicationDependencies) => Promise<number> {
  let after: string | null = null;
  return async (dependencies) => {
    const open = await listRunsToResume(dependencies.database, { after, limit: RESUMED_AT_A_TIME });
    after = open.length < RESUMED_AT_A_TIME ? null : (open.at(-1)?.runId ?? null);
    for (const { runId, account } of open) await startRun(dependencies, { runId, account });
    return open.length;
  };
}
