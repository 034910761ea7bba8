import { outcomeOfRun, RUN_OUTCOMES, type RunState } from '../../domain/runs/run-state.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { countRows } from './run-counts.ts';
import { type RunStatus, transitionRun, readRunStatus } from './run-transition.ts';

/** Ends a run with the outcome that its rows give. */
export async function endRun(database: Database, runId: string): Promise<RunState> {
  return inTransaction(database, async (transaction) => {
    await lockRun(transaction, runId);
    return transitionToOutcome(transaction, runId, ({ isApproved }) =>
      isApproved ? null : 'no row of this run can be paid',
    );
  });
}

/** Updates an ended run's outcome from its rows; leaves any other run. Needs a transaction that holds `lockRun`. */
export async function updateOutcome(transaction: Queryable, runId: string): Promise<void> {
  const run = await readRunStatus(transaction, runId);
  if (run !== null && RUN_OUTCOMES.includes(run.state)) {
    await transitionToOutcome(transaction, runId, ({ stateReason }) => stateReason);
  }
}

/** Updates the outcomes of the ended runs among these. */
export async function updateOutcomesOf(database: Database, runIds: readonly string[]): Promise<void> {
  const { rows } = await database.query<{ run_id: string }>(
    'select run_id from runs where run_id = any($1) and state = any($2)',
    [runIds, RUN_OUTCOMES],
  );
  for (const { run_id: runId } of rows) {
    await inTransaction(database, async (transaction) => {
      await lockRun(transaction, runId);
      await updateOutcome(transaction, runId);
    });
  }
}

/** To hold while a run's rows are counted for its state, so that nobody sets it from an older count. */
export async function lockRun(transaction: Queryable, runId: string): Promise<void> {
  await transaction.query('select from runs where run_id = $1 for update', [runId]);
}

async function transitionToOutcome(
  transaction: Queryable,
  runId: string,
  reasonOf: (run: RunStatus) => string | null,
): Promise<RunState> {
  const run = await readRunStatus(transaction, runId);
  if (run === null) throw new Error(`there is no run ${runId}`);
  const rows = await countRows(transaction, runId);
  const state = run.isCancelled ? 'cancelled' : outcomeOfRun(rows);
  await transitionRun(transaction, runId, {
    ...{ to: state, finished: true, reason: reasonOf(run), detail: { rows } },
  });
  return state;
}
