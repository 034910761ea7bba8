import { RUN_STATE_TABLE, type RunDecision, type RunState } from '../../domain/runs/run-state-table.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { markRunNotified } from '../../store/runs/run-workflows.ts';
import { readDecisionTimeLeft, transitionRun, readRunStatus } from '../../store/runs/run-transition.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Opens the run for a decision; one that its maker wanted checked only waits for them first. Returns for what it waits. */
export function openForDecisionActivity({ database }: ActivityDependencies) {
  return async function openForDecision({ runId }: { runId: string }): Promise<{ state: RunState }> {
    const run = await readRunStatus(database, runId);
    const to = run?.waitsForMaker === true ? 'checked' : 'in_approval';
    await transitionRun(database, runId, { to });
    return { state: to };
  };
}

/** Reads the decision from the database. Decisions are made nowhere else. */
export function readDecisionActivity({ database }: ActivityDependencies) {
  return async function readDecision({ runId }: { runId: string }): Promise<{ outcome: RunDecision }> {
    const run = await readRunStatus(database, runId);
    if (run === null) throw new Error(`there is no run ${runId}`);
    const { isDecided } = await readRunApproval(database, runId);
    const outcome = isDecided ? 'approved' : RUN_STATE_TABLE[run.state].decision.recorded;
    if (outcome !== 'pending') await markRunNotified(database, runId);
    return { outcome };
  };
}

/**
 * Ends a run that nobody decided in time, by the clock of the database. A decision made meanwhile stays valid. `leftMs`: people may decide
 * for so long still, as its maker has sent it late; 0: they may not.
 */
export function expireRunActivity({ database }: ActivityDependencies) {
  return async function expireRun({ runId }: { runId: string }): Promise<{ isExpired: boolean; leftMs: number }> {
    const leftMs = await readDecisionTimeLeft(database, runId);
    if (leftMs > 0) return { isExpired: false, leftMs };
    const isExpired = await transitionRun(database, runId, {
      to: 'expired',
      finished: true,
      reason: 'nobody decided on it in time',
    });
    return { isExpired, leftMs };
  };
}
