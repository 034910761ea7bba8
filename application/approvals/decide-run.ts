import { decideRunAs, Refused, withdrawRunAs } from '../../store/approvals/authority.ts';
import type { Decision, DecidedRun, RunSummary } from '../application-api.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../audit/record-refusal.ts';
import { findRun } from '../runs/run-views.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyRun } from '../runs/notify-runs.ts';

/**
 * Records a decision on what was seen, in the user's name. It counts once the record has it; the run's workflow is told
 * to look, and finds it by itself should that not reach it.
 */
export async function decideRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  kind: 'approved' | 'rejected',
  { comment, contentHash }: Decision,
): Promise<DecidedRun> {
  const decision = { runId, kind, contentHash, comment };
  const { step, steps, isLast } = await asApplicationError(
    decideRunAs(dependencies.database, user.proof, decision).catch(async (error: unknown) => {
      if (kind === 'approved' && error instanceof Refused && error.code === 'conflict')
        await refuseEmptyRun(dependencies, runId);
      throw error;
    }),
  );
  if (isLast || kind === 'rejected') await notifyRun(dependencies, runId, 'decisionRecorded');
  return { run: await existing(dependencies, runId), step, steps };
}

/** The policy has no rule for nothing: whoever approves it is told what it is about. */
async function refuseEmptyRun(dependencies: ApplicationDependencies, runId: string): Promise<void> {
  const { state, proposal } = await existing(dependencies, runId);
  if (state === 'in_approval' && proposal?.payable === 0) {
    throw new ApplicationError(
      'conflict',
      'no row of this run can be paid: release suspected duplicates first, or reject it',
    );
  }
}

/** Takes back a run that its maker has submitted and nobody has decided on. */
export async function withdrawRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  reason: string | null,
): Promise<RunSummary> {
  await asApplicationError(withdrawRunAs(dependencies.database, user.proof, runId, reason));
  await notifyRun(dependencies, runId, 'decisionRecorded');
  return existing(dependencies, runId);
}

async function existing(dependencies: ApplicationDependencies, runId: string): Promise<RunSummary> {
  const run = await findRun(dependencies, runId);
  if (run === null) throw new ApplicationError('not_found', 'there is no such run');
  return run;
}
