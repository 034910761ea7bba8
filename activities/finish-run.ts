import { outcomeOfRun, type RunState } from '../domain/run-state.ts';
import { countOpen } from '../store/run-planning.ts';
import { moveRun, readRun } from '../store/runs.ts';
import type { ActivityDependencies } from './dependencies.ts';

export function countOpenRowsActivity({ database }: ActivityDependencies) {
  return async function countOpenRows({ runId }: { runId: string }): Promise<{ open: number }> {
    return { open: await countOpen(database, runId) };
  };
}

/** Ends a run by what became of its rows: `completed` only when the provider confirmed every one as paid. */
export function finishRunActivity({ database }: ActivityDependencies) {
  return async function finishRun({
    runId,
    reason,
  }: {
    runId: string;
    reason: string | null;
  }): Promise<{ state: RunState }> {
    const run = await readRun(database, runId);
    if (run === null) throw new Error(`there is no run ${runId}`);
    const state = outcomeOfRun(run.rows);
    await moveRun(database, runId, { to: state, actor: 'worker', finished: true, reason, detail: { rows: run.rows } });
    return { state };
  };
}
