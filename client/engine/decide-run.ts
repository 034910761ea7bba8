import { WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import type { Actor } from '../../domain/role.ts';
import type { RunDecision } from '../../workflows/messages.ts';
import type { Decision, RunSummary } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { appendAudit } from '../../store/audit.ts';
import { findRun } from './run-views.ts';

/** How long a decision may take to be recorded. */
const DECISION_TIMEOUT_MS = 20_000;

/**
 * Puts a decision before the run. The maker is refused here, in the run's workflow and by the activity that records
 * it: no single mistake lets one person pay alone.
 */
export async function decideRun(
  dependencies: EngineDependencies,
  actor: Actor,
  runId: string,
  kind: 'approveRun' | 'rejectRun',
  decision: Decision,
): Promise<RunSummary> {
  const run = await findRun(dependencies, runId);
  if (run === null) throw new EngineError('not_found', 'there is no such run');
  if (run.submittedBy.userId === actor.userId) {
    await appendAudit(dependencies.database, {
      actor: actor.userId,
      kind: 'decision_refused',
      runId,
      detail: { why: 'maker_decides' },
    });
    throw new EngineError('not_allowed', 'the maker of a run cannot decide on it; ask a second person');
  }
  if (run.state === 'validating')
    throw new EngineError('conflict', 'the run is still being checked; try again in a moment');
  if (decision.comment !== null) {
    await appendAudit(dependencies.database, {
      actor: actor.userId,
      kind: 'decision_comment',
      runId,
      detail: { comment: decision.comment },
    });
  }
  await update(dependencies, runId, kind, { userId: actor.userId, contentHash: decision.contentHash });
  const decided = await findRun(dependencies, runId);
  return decided ?? run;
}

async function update(
  { temporal }: EngineDependencies,
  runId: string,
  kind: 'approveRun' | 'rejectRun',
  decision: RunDecision,
): Promise<void> {
  try {
    await temporal.withDeadline(Date.now() + DECISION_TIMEOUT_MS, () =>
      temporal.workflow
        .getHandle(paymentRunWorkflowId(runId))
        .executeUpdate<undefined, [RunDecision]>(kind, { args: [decision] }),
    );
  } catch (error) {
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): EngineError {
  if (error instanceof WorkflowNotFoundError) {
    return new EngineError('conflict', 'the run is not waiting for a decision: it has ended', { cause: error });
  }
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : undefined;
  if (cause instanceof ApplicationFailure) {
    return new EngineError(cause.type === 'maker_decides' ? 'not_allowed' : 'conflict', cause.message, {
      cause: error,
    });
  }
  return new EngineError(
    'unavailable',
    'the decision could not be recorded in time; look at the run before you repeat it',
    {
      cause: error,
    },
  );
}
