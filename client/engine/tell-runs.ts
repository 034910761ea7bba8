import { WorkflowNotFoundError } from '@temporalio/client';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { applyDueChanges } from '../../store/authority.ts';
import { listUntoldRuns } from '../../store/runs.ts';
import type { EngineDependencies } from './engine-dependencies.ts';

const TELL_TIMEOUT_MS = 5_000;

export type RunNews = 'decisionRecorded' | 'stopChanged';

/**
 * Tells a run's workflow that the record has something new for it. What was recorded holds whether or not this arrives,
 * so that nobody is told that their decision failed because Temporal was away.
 */
export async function tellRun({ temporal }: EngineDependencies, runId: string, news: RunNews): Promise<boolean> {
  try {
    await temporal.withDeadline(Date.now() + TELL_TIMEOUT_MS, () =>
      temporal.workflow.getHandle(paymentRunWorkflowId(runId)).signal(news),
    );
    return true;
  } catch (error) {
    return error instanceof WorkflowNotFoundError;
  }
}

/** Tells runs again whose workflows have not been seen to know of the decision on them. Answers how many. */
export async function tellUntoldRuns(dependencies: EngineDependencies): Promise<number> {
  const runIds = await listUntoldRuns(dependencies.database);
  for (const runId of runIds) await tellRun(dependencies, runId, 'decisionRecorded');
  return runIds.length;
}

/** Lets changes take effect whose time has come. */
export async function applyChanges({ database }: EngineDependencies): Promise<number> {
  return applyDueChanges(database);
}
