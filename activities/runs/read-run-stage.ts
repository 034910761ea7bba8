import { type RunStage, stageOfRun } from '../../domain/runs/run-state.ts';
import { markRunNotified } from '../../store/runs/run-workflows.ts';
import { readRunStatus } from '../../store/runs/run-transition.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/**
 * Reads where a run stands, so that a workflow which replaces a lost one continues from there. A workflow that starts after
 * the decision learns of it here, which counts as its notification.
 */
export function readRunStageActivity({ database }: ActivityDependencies) {
  return async function readRunStage({ runId }: { runId: string }): Promise<{ stage: RunStage }> {
    const run = await readRunStatus(database, runId);
    if (run === null) throw new Error(`there is no run ${runId}`);
    const stage = stageOfRun(run.state);
    if (stage === 'paying' || stage === 'ended') await markRunNotified(database, runId);
    return { stage };
  };
}
