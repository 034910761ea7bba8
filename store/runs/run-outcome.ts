import { outcomeOfRun, type RunState } from '../../domain/runs/run-state.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { countRows } from './run-counts.ts';
import { moveRun, readRunStanding } from './runs.ts';

/** Outcomes that follow the rows also after the run's end, when the truth about an unknown one comes out. */
const OUTCOMES = ['completed', 'partially_completed', 'failed'] as const satisfies readonly RunState[];

/** Ends a run by what became of its rows. */
export async function endRun(database: Database, runId: string, reason: string | null): Promise<RunState> {
  return inTransaction(database, async (transaction) => {
    await lockRun(transaction, runId);
    return moveToOutcome(transaction, runId, reason);
  });
}

/** Inside a transaction that holds `lockRun`: an ended run's outcome follows its rows; any other run stays. */
export async function followRows(transaction: Queryable, runId: string): Promise<void> {
  const run = await readRunStanding(transaction, runId);
  if (run !== null && (OUTCOMES as readonly RunState[]).includes(run.state)) {
    await moveToOutcome(transaction, runId, run.stateReason);
  }
}

/** Brings the ended ones among these runs to the outcome that their rows have by now. */
export async function followRowsOf(database: Database, runIds: readonly string[]): Promise<void> {
  const { rows } = await database.query<{ run_id: string }>(
    'select run_id from runs where run_id = any($1) and state = any($2)',
    [runIds, OUTCOMES],
  );
  for (const { run_id: runId } of rows) {
    await inTransaction(database, async (transaction) => {
      await lockRun(transaction, runId);
      await followRows(transaction, runId);
    });
  }
}

/** Whoever counts a run's rows to move it holds this lock, so that nobody moves it by an older count. */
export async function lockRun(transaction: Queryable, runId: string): Promise<void> {
  await transaction.query('select from runs where run_id = $1 for update', [runId]);
}

async function moveToOutcome(transaction: Queryable, runId: string, reason: string | null): Promise<RunState> {
  const run = await readRunStanding(transaction, runId);
  if (run === null) throw new Error(`there is no run ${runId}`);
  const rows = await countRows(transaction, runId);
  const state = run.isCancelled ? 'cancelled' : outcomeOfRun(rows);
  await moveRun(transaction, runId, { to: state, finished: true, reason, detail: { rows } });
  return state;
}
