import { ApplicationFailure } from '@temporalio/common';
import type { RunState } from '../../domain/runs/run-state.ts';
import { endRun } from '../../store/runs/run-outcome.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';
import { countOpenPayments } from '../../store/runs/open-payments.ts';
import { countRowsToBegin } from '../../store/runs/payable-rows.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { cancelUnsent } from '../../store/approvals/stops.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface OpenRows {
  openRows: number;
  /** Those of them that are due, not begun, and may be begun now. */
  rowsToBegin: number;
}

/** Counts the rows that have not ended. Rows of a cancelled run are ended first, as far as possible. */
export function countOpenRowsActivity({ database, now }: ActivityDependencies) {
  return async function countOpenRows({ runId }: { runId: string }): Promise<OpenRows> {
    await cancelUnsent(database, runId);
    const openRows = await countOpenPayments(database, runId);
    const { account } = await readRunApproval(database, runId);
    const today = await readLocalDay(database, account, now());
    const { rowsToBegin } = await countRowsToBegin(database, runId, today);
    return { openRows, rowsToBegin };
  };
}

/**
 * Ends a run by the outcome of its rows: `completed` only if the provider confirmed each of them as paid. Fails for a run
 * with open rows, whoever asks.
 */
export function finishRunActivity({ database }: ActivityDependencies) {
  return async function finishRun({ runId }: { runId: string }): Promise<{ state: RunState }> {
    const open = await countOpenPayments(database, runId);
    if (open > 0) throw ApplicationFailure.nonRetryable(`${open} rows of the run are still open`, 'rows_open');
    return { state: await endRun(database, runId) };
  };
}
