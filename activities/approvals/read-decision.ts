import { RUN_STATE_TABLE, type RunDecision } from '../../domain/runs/run-state-table.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import { markRunNotified } from '../../store/runs/run-workflows.ts';
import { readDecisionTimeLeft, transitionRun, readRunStatus } from '../../store/runs/run-transition.ts';
import { tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Moves the run to `in_approval`: from then on it can be decided. */
export function openForDecisionActivity({ database }: ActivityDependencies) {
  return async function openForDecision({ runId }: { runId: string }): Promise<void> {
    await transitionRun(database, runId, { to: 'in_approval' });
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

/** Ends a run that nobody decided in time, by the clock of the database. A decision made meanwhile stays valid. */
export function expireRunActivity({ database }: ActivityDependencies) {
  return async function expireRun({ runId }: { runId: string }): Promise<{ isExpired: boolean }> {
    const leftMs = await readDecisionTimeLeft(database, runId);
    if (leftMs > 0) throw tryAgainIn(leftMs, 'not_over', 'people may still decide on the run');
    const isExpired = await transitionRun(database, runId, {
      to: 'expired',
      finished: true,
      reason: 'nobody decided on it in time',
    });
    return { isExpired };
  };
}
