import { ApplicationFailure } from '@temporalio/common';
import type { RunState } from '../domain/run-state.ts';
import { endRun } from '../store/run-outcome.ts';
import { countOpen } from '../store/run-planning.ts';
import { cancelUnsent } from '../store/stops.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Rows that are not at their end. What is left of a run that was cancelled is ended first, as far as it can be. */
export function countOpenRowsActivity({ database }: ActivityDependencies) {
  return async function countOpenRows({ runId }: { runId: string }): Promise<{ open: number }> {
    await cancelUnsent(database, runId);
    return { open: await countOpen(database, runId) };
  };
}

/**
 * Ends a run by what became of its rows: `completed` only when the provider confirmed every one as paid. A run whose
 * rows are still to be sent or confirmed is not ended, whoever asks.
 */
export function finishRunActivity({ database }: ActivityDependencies) {
  return async function finishRun(run: { runId: string; reason: string | null }): Promise<{ state: RunState }> {
    const open = await countOpen(database, run.runId);
    if (open > 0) throw ApplicationFailure.nonRetryable(`${open} rows of the run are still open`, 'rows_open');
    return { state: await endRun(database, run.runId, run.reason) };
  };
}
