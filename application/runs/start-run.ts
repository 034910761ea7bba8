import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { MAIN_TASK_QUEUE, paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { ACCOUNT, RUN_ID, STATE } from '../../domain/runs/search-attributes.ts';
import { listRunsToResume, listUnstartedRuns } from '../../store/runs/run-workflows.ts';
import type { PaymentRunInput } from '../../workflows/messages.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

export interface StoredRun {
  runId: string;
  account: string;
}

/** Starts the workflow of a stored run, unless it is running. A run whose workflow was terminated continues from the database. */
export async function startRun({ temporal, settings }: ApplicationDependencies, run: StoredRun): Promise<void> {
  const input: PaymentRunInput = {
    ...run,
    decisionWithinMs: settings.decisionWithinMs,
    concurrencyLimit: settings.concurrencyLimitOf(run.account),
  };
  try {
    await temporal.workflow.start('paymentRun', {
      workflowId: paymentRunWorkflowId(run.runId),
      taskQueue: MAIN_TASK_QUEUE,
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
 * Starts runs that were stored but not started because of a crash. Called when a server starts, so that every accepted
 * file is processed.
 */
export async function startForgottenRuns(dependencies: ApplicationDependencies): Promise<number> {
  const forgotten = await listUnstartedRuns(dependencies.database);
  await startEach(dependencies, forgotten);
  return forgotten.length;
}

/** Starts all that can be started, then throws for the first that could not, such as a run of an account that is not configured. */
async function startEach(dependencies: ApplicationDependencies, runs: readonly StoredRun[]): Promise<void> {
  const failures: unknown[] = [];
  for (const { runId, account } of runs) {
    await startRun(dependencies, { runId, account }).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

/** Runs per call, so that a call stays cheap with thousands of open runs. */
const RESUMED_PER_CALL = 50;

/**
 * Restarts missing workflows of open runs: anyone with access to Temporal can terminate one, and a restored Temporal has
 * none. Each call takes the next runs, the oldest first; for a running one it does nothing.
 */
export function resumingLostRuns(): (dependencies: ApplicationDependencies) => Promise<number> {
  let after: string | null = null;
  return async (dependencies) => {
    const open = await listRunsToResume(dependencies.database, { after, limit: RESUMED_PER_CALL });
    after = open.length < RESUMED_PER_CALL ? null : (open.at(-1)?.runId ?? null);
    await startEach(dependencies, open);
    return open.length;
  };
}
