import { ApplicationFailure } from '@temporalio/common';
import type { RunState } from '../../domain/runs/run-state.ts';
import { endRun } from '../../store/runs/run-outcome.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { countOpen, countToBegin } from '../../store/runs/run-planning.ts';
import { cancelUnsent } from '../../store/approvals/stops.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface OpenRows {
  open: number;
  /** Of them, due and not begun: those that may be begun now. Absent in histories of the version before. */
  toBegin?: number;
}

/** Rows that are not at their end. What is left of a run that was cancelled is ended first, as far as it can be. */
export function countOpenRowsActivity({ database, now }: ActivityDependencies) {
  return async function countOpenRows({ runId }: { runId: string }): Promise<OpenRows> {
    await cancelUnsent(database, runId);
    const open = await countOpen(database, runId);
    const { toBegin } = await countToBegin(database, runId, dayOf(now()));
    return { open, toBegin };
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
