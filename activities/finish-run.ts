import type { RunState } from '../domain/run-state.ts';
import { endRun } from '../store/run-outcome.ts';
import { countOpen } from '../store/run-planning.ts';
import type { ActivityDependencies } from './dependencies.ts';

export function countOpenRowsActivity({ database }: ActivityDependencies) {
  return async function countOpenRows({ runId }: { runId: string }): Promise<{ open: number }> {
    return { open: await countOpen(database, runId) };
  };
}

/** Ends a run by what became of its rows: `completed` only when the provider confirmed every one as paid. */
export function finishRunActivity({ database }: ActivityDependencies) {
  return async function finishRun(run: { runId: string; reason: string | null }): Promise<{ state: RunState }> {
    return { state: await endRun(database, run.runId, run.reason) };
  };
}
