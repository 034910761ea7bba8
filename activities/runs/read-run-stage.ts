import { runHasEnded } from '../../domain/runs/run-state.ts';
import { markRunNotified, readRunStanding } from '../../store/runs/runs.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Where the record says that a run is. */
export type RunStage = 'checking' | 'deciding' | 'paying' | 'ended';

/**
 * So that a workflow that begins goes on from there, whether or not it is the first one of its run. One that begins after
 * the decision has learnt of it here.
 */
export function readRunStageActivity({ database }: ActivityDependencies) {
  return async function readRunStage({ runId }: { runId: string }): Promise<{ stage: RunStage }> {
    const standing = await readRunStanding(database, runId);
    if (standing === null) throw new Error(`there is no run ${runId}`);
    const { state } = standing;
    if (state === 'draft' || state === 'validating') return { stage: 'checking' };
    if (state === 'proposed' || state === 'in_approval') return { stage: 'deciding' };
    await markRunNotified(database, runId);
    return { stage: runHasEnded(state) ? 'ended' : 'paying' };
  };
}
