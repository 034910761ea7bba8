import { WorkflowNotFoundError } from '@temporalio/client';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { applyDueChanges } from '../../store/approvals/changes.ts';
import { listStaleProposals } from '../../store/runs/run-proposals.ts';
import { listRunsToNotify, readRunToResume } from '../../store/runs/run-workflows.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { startRun } from './start-run.ts';

const SIGNAL_TIMEOUT_MS = 5_000;

export type RunSignal = 'decisionRecorded' | 'contentChanged' | 'stopChanged';

/**
 * Signals a run's workflow that the database has changed; a missing workflow of an unfinished run is started again. What
 * was recorded is valid without the signal, so an outage of Temporal never makes a decision fail. Returns whether the
 * workflow was reached.
 */
export async function notifyRun(
  dependencies: ApplicationDependencies,
  runId: string,
  signal: RunSignal,
): Promise<boolean> {
  const { temporal } = dependencies;
  try {
    await temporal.withDeadline(Date.now() + SIGNAL_TIMEOUT_MS, () =>
      temporal.workflow.getHandle(paymentRunWorkflowId(runId)).signal(signal),
    );
    return true;
  } catch (error) {
    return error instanceof WorkflowNotFoundError && (await resumeRun(dependencies, runId));
  }
}

/** The new workflow starts from the database, which contains what the signal is about. */
async function resumeRun(dependencies: ApplicationDependencies, runId: string): Promise<boolean> {
  try {
    const run = await readRunToResume(dependencies.database, runId);
    if (run === null) return true;
    await dependencies.temporal.withDeadline(Date.now() + SIGNAL_TIMEOUT_MS, () => startRun(dependencies, run));
    return true;
  } catch {
    return false;
  }
}

/** Runs that were not reached when a stop of theirs changed, by the client of Temporal that did not reach them. */
const unreached = new WeakMap<ApplicationDependencies['temporal'], Set<string>>();

/**
 * Notifies a run that a stop of it was lifted or made final. One that is not reached is notified by `notifyPendingRuns`; if this
 * process ends before that, it looks by itself after ten minutes.
 */
export async function notifyOfStop(dependencies: ApplicationDependencies, runId: string): Promise<void> {
  const { temporal } = dependencies;
  const pending = unreached.get(temporal) ?? new Set();
  unreached.set(temporal, pending);
  if (await notifyRun(dependencies, runId, 'stopChanged')) pending.delete(runId);
  else pending.add(runId);
}

/**
 * Repeats the signal to runs whose workflows have not acted yet on a decision or on released rows, or were not reached when a stop
 * changed. Returns how many.
 */
export async function notifyPendingRuns(dependencies: ApplicationDependencies): Promise<number> {
  const stopped = [...(unreached.get(dependencies.temporal) ?? [])];
  for (const runId of stopped) await notifyOfStop(dependencies, runId);
  const decided = await listRunsToNotify(dependencies.database);
  for (const runId of decided) await notifyRun(dependencies, runId, 'decisionRecorded');
  const stale = await listStaleProposals(dependencies.database);
  for (const runId of stale) await notifyRun(dependencies, runId, 'contentChanged');
  return stopped.length + decided.length + stale.length;
}

/** Puts due changes into effect. Returns how many. */
export async function applyChanges({ database }: ApplicationDependencies): Promise<number> {
  return applyDueChanges(database);
}
