import { runHasEnded } from '../domain/run-state.ts';
import { readRunStanding } from '../store/runs.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Where the record says that a run is. */
export type RunStage = 'checking' | 'deciding' | 'paying' | 'ended';

/** So that a workflow that begins goes on from there, whether or not it is the first one of its run. */
export function readRunStageActivity({ database }: ActivityDependencies) {
  return async function readRunStage({ runId }: { runId: string }): Promise<{ stage: RunStage }> {
    const standing = await readRunStanding(database, runId);
    if (standing === null) throw new Error(`there is no run ${runId}`);
    const { state } = standing;
    if (runHasEnded(state)) return { stage: 'ended' };
    if (state === 'draft' || state === 'validating') return { stage: 'checking' };
    return { stage: state === 'proposed' || state === 'in_approval' ? 'deciding' : 'paying' };
  };
}
