import { ApplicationFailure } from '@temporalio/common';
import type { Queryable } from '../store/database.ts';
import { contentHashOf } from '../store/row-identity.ts';
import { readPlanTotals } from '../store/run-planning.ts';
import { moveRun, readRun } from '../store/runs.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** From now on the run waits for a decision. */
export function openForDecisionActivity({ database }: ActivityDependencies) {
  return async function openForDecision({ runId }: { runId: string }): Promise<void> {
    await moveRun(database, runId, { to: 'in_approval', actor: 'worker' });
  };
}

/** Records who decided what on which content; the maker is refused here as well, whatever let them through before. */
export function recordDecisionActivity({ database }: ActivityDependencies) {
  return async function recordDecision(decision: {
    runId: string;
    kind: 'approved' | 'rejected';
    userId: string;
    contentHash: string;
  }): Promise<void> {
    const { runId, kind, userId, contentHash } = decision;
    const run = await readRun(database, runId);
    if (run?.submittedBy.userId === userId) {
      throw ApplicationFailure.nonRetryable('the maker of a run cannot decide on it', 'maker_decides');
    }
    if (kind === 'approved') await refuseChangedContent(database, runId, contentHash);
    const moved = await moveRun(database, runId, {
      to: kind === 'approved' ? 'running' : 'rejected',
      actor: userId,
      decidedBy: userId,
      started: kind === 'approved',
      finished: kind === 'rejected',
      detail: { contentHash },
    });
    if (!moved) throw ApplicationFailure.nonRetryable('the run is not waiting for a decision', 'not_deciding');
  };
}

/** An approval dies with any change of what it approves, also one made behind payrun's back. */
async function refuseChangedContent(database: Queryable, runId: string, approved: string): Promise<void> {
  const { rowHashes } = await readPlanTotals(database, runId);
  if (contentHashOf(rowHashes) === approved) return;
  throw ApplicationFailure.nonRetryable('the rows are not those that were proposed', 'content_changed');
}

export function expireRunActivity({ database }: ActivityDependencies) {
  return async function expireRun({ runId }: { runId: string }): Promise<void> {
    await moveRun(database, runId, {
      to: 'expired',
      actor: 'worker',
      finished: true,
      reason: 'nobody decided on it in time',
    });
  };
}
