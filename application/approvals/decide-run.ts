import { decideRunAs, readDecisionOf, sendRunAs, withdrawRunAs } from '../../store/approvals/run-decisions.ts';
import type { DecidedRun } from '../../api/approvals/decision.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { ApplicationDependencies, ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { findRun } from '../runs/run-views.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyRun } from '../runs/notify-runs.ts';

const UNREADABLE =
  'not approved: rows of the run are damaged, and nobody can see whom they pay; reject it, and have its file submitted again';

export interface Decision {
  comment: string | null;
  /** The content hash that the decider saw; a run that has changed since is refused with `conflict`. */
  contentHash: string;
}

/**
 * Records the user's decision on the content that they saw. It takes effect once it is in the database; the workflow is
 * signalled to read it, and finds it without the signal, too. Who may decide, and on which content, is enforced in the
 * database function `decide_run`, in store/approvals/run-decisions.sql.
 */
export async function decideRun(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  runId: string,
  kind: 'approved' | 'rejected',
  { comment, contentHash }: Decision,
): Promise<DecidedRun> {
  const review = kind === 'approved' ? await dependencies.reviews.find(runId) : null;
  // guard: unreadable-rows-not-approved (2 lines)
  if (review?.findings.some((finding) => finding.kind === 'row_unreadable') === true)
    throw new ApplicationError('conflict', UNREADABLE);
  const decision = { runId, kind, contentHash, comment };
  const recorded = decideRunAs(dependencies.database, user.tokenHash, decision);
  const { stepsTaken, steps, isLast } = await asApplicationError(recorded);
  if (isLast || kind === 'rejected') await notifyRun(dependencies, runId, 'decisionRecorded');
  const own = await readDecisionOf(dependencies.database, { runId, userId: user.userId, contentHash, kind });
  if (own === null) throw new Error('a decision that was recorded is not there');
  const run = await existingRun(dependencies, runId);
  return { run, stepsTaken, steps, decidedBy: own.decidedBy, decidedAt: own.decidedAt.toISOString() };
}

/** Withdraws a run that nobody has decided on, by its maker. */
export async function withdrawRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  reason: string | null,
): Promise<RunSummary> {
  await asApplicationError(withdrawRunAs(dependencies.database, user.tokenHash, runId, reason));
  await notifyRun(dependencies, runId, 'decisionRecorded');
  return existingRun(dependencies, runId);
}

/** Sends a run of the user for approval that was checked only, with the content that they saw. */
export async function sendRun(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  runId: string,
  contentHash: string,
): Promise<RunSummary> {
  await asApplicationError(sendRunAs(dependencies.database, user.tokenHash, runId, contentHash));
  await notifyRun(dependencies, runId, 'contentChanged');
  return existingRun(dependencies, runId);
}

async function existingRun(dependencies: ApplicationDependencies, runId: string): Promise<RunSummary> {
  return orNotFound(await findRun(dependencies, runId), 'there is no such run');
}
