import { WorkflowNotFoundError } from '@temporalio/client';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { applyDueChanges } from '../../store/approvals/authority.ts';
import { listStaleProposals, listRunsToNotify, readRunToResume } from '../../store/runs/runs.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { startRun } from './start-run.ts';

const TELL_TIMEOUT_MS = 5_000;

export type RunNews = 'decisionRecorded' | 'contentChanged' | 'stopChanged';

/**
 * Tells a run's workflow that the record has something new for it; one that is gone, though its run is not over, is
 * started again. What was recorded holds whether or not this arrives, so that nobody is told that their decision failed
 * because Temporal was away.
 */
export async function notifyRun(dependencies: ApplicationDependencies, runId: string, news: RunNews): Promise<boolean> {
  const { temporal } = dependencies;
  try {
    await temporal.withDeadline(Date.now() + TELL_TIMEOUT_MS, () =>
      temporal.workflow.getHandle(paymentRunWorkflowId(runId)).signal(news),
    );
    return true;
  } catch (error) {
    return error instanceof WorkflowNotFoundError && (await resumeRun(dependencies, runId));
  }
}

/** It begins from what the record says, which is what it would have been told. */
async function resumeRun(dependencies: ApplicationDependencies, runId: string): Promise<boolean> {
  try {
    const run = await readRunToResume(dependencies.database, runId);
    if (run === null) return true;
    await dependencies.temporal.withDeadline(Date.now() + TELL_TIMEOUT_MS, () => startRun(dependencies, run));
    return true;
  } catch {
    return false;
  }
}

/**
 * Tells runs again whose workflows have not been seen to know of the decision on them, or of rows that were released.
 * Answers how many.
 */
export async function notifyPendingRuns(dependencies: ApplicationDependencies): Promise<number> {
  const decided = await listRunsToNotify(dependencies.database);
  for (const runId of decided) await notifyRun(dependencies, runId, 'decisionRecorded');
  const stale = await listStaleProposals(dependencies.database);
  for (const runId of stale) await notifyRun(dependencies, runId, 'contentChanged');
  return decided.length + stale.length;
}

/** Lets changes take effect whose time has come. */
export async function applyChanges({ database }: ApplicationDependencies): Promise<number> {
  return applyDueChanges(database);
}
