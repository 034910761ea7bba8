import { ApplicationFailure } from '@temporalio/common';
import type { RunState } from '../../domain/runs/run-state.ts';
import { readAuthority } from '../../store/runs/run-planning.ts';
import { markRunNotified, moveRun, readRunStanding } from '../../store/runs/runs.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** What the record says of the decision on a run. `withdrawn`: its maker took it back. */
export type RecordedOutcome = 'pending' | 'approved' | 'rejected' | 'withdrawn' | 'expired';

const OUTCOMES: Readonly<Partial<Record<RunState, RecordedOutcome>>> = {
  draft: 'pending',
  validating: 'pending',
  proposed: 'pending',
  in_approval: 'pending',
  rejected: 'rejected',
  expired: 'expired',
  cancelled: 'withdrawn',
};

/** From now on the run waits for a decision. */
export function openForDecisionActivity({ database }: ActivityDependencies) {
  return async function openForDecision({ runId }: { runId: string }): Promise<void> {
    await moveRun(database, runId, { to: 'in_approval' });
  };
}

/** Looks for the decision in the record, where alone it is made. */
export function readDecisionActivity({ database }: ActivityDependencies) {
  return async function readDecision({ runId }: { runId: string }): Promise<{ outcome: RecordedOutcome }> {
    const standing = await readRunStanding(database, runId);
    if (standing === null) throw new Error(`there is no run ${runId}`);
    const { isDecided } = await readAuthority(database, runId);
    const outcome = isDecided ? 'approved' : (OUTCOMES[standing.state] ?? 'approved');
    if (outcome !== 'pending') await markRunNotified(database, runId);
    return { outcome };
  };
}

/** Ends a run that nobody decided on in time; one that somebody did decide on meanwhile stays as they decided. */
export function expireRunActivity({ database }: ActivityDependencies) {
  return async function expireRun({ runId }: { runId: string }): Promise<{ isExpired: boolean }> {
    const isExpired = await moveRun(database, runId, {
      to: 'expired',
      finished: true,
      reason: 'nobody decided on it in time',
    });
    return { isExpired };
  };
}

/** What workflows of the version before asked for, where a decision is not made any more. */
export function recordDecisionActivity() {
  return function recordDecision(
    ...[]: [{ runId: string; kind: 'approved' | 'rejected'; userId: string }]
  ): Promise<void> {
    return Promise.reject(
      ApplicationFailure.nonRetryable(
        'decisions are made at the server, in the request of who decides',
        'not_deciding',
      ),
    );
  };
}
