import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { ConfirmOutcome } from '../../activities/conclude-resolution.ts';
import { ENGINE_TASK_QUEUE, resolutionWorkflowId } from '../../domain/identifiers.ts';
import { objectionToConfirming, type ResolutionRefusal } from '../../domain/resolution.ts';
import { type Actor, roleMay } from '../../domain/role.ts';
import { appendAudit } from '../../store/audit.ts';
import { inTransaction } from '../../store/database.ts';
import { closeResolution, readResolution, type ResolutionRecord } from '../../store/resolutions.ts';
import { readRun } from '../../store/runs.ts';
import type { ResolutionInput } from '../../workflows/messages.ts';
import type { RowPlace } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { existingRow } from './existing-row.ts';
import type { RowDetail } from './row-detail.ts';

/** The provider is asked before a confirmation counts, and all of it fits a request's time. */
const CONFIRM_TIMEOUT_MS = 25_000;

/**
 * Confirms the open proposal that the person has seen. The proposer and the run's maker are refused here and where it
 * takes effect. @throws EngineError `not_allowed`; `conflict` when the proposal is not open, the row has changed, or
 * the provider says otherwise; `unavailable` when it could not be asked: the proposal stays open then.
 */
export async function confirmResolution(
  dependencies: EngineDependencies,
  actor: Actor,
  at: RowPlace,
  { resolutionId }: { resolutionId: string },
): Promise<RowDetail> {
  const { row, resolution } = await openProposal(dependencies, at, resolutionId);
  const run = await readRun(dependencies.database, at.runId);
  const refusal = objectionToConfirming(
    { ...resolution, proposedBy: resolution.proposedBy.userId },
    // Whether the row has changed is looked at where the confirmation takes effect.
    { confirmedBy: actor.userId, maker: run?.submittedBy.userId ?? '', evidenceHash: resolution.evidenceHash },
  );
  if (refusal !== null) {
    await appendAudit(dependencies.database, {
      actor: actor.userId,
      kind: 'resolution_refused',
      runId: at.runId,
      paymentId: row.paymentId,
      detail: { resolution: resolutionId, why: refusal.why },
    });
    throw errorOf(refusal);
  }
  const outcome = await askAndConclude(dependencies, {
    resolutionId,
    paymentId: row.paymentId,
    account: run?.account ?? '',
    confirmedBy: actor.userId,
    providerPaymentId: resolution.providerPaymentId ?? row.providerPaymentId,
  });
  if (outcome.kind === 'refused') throw errorOf(outcome.refusal);
  if (outcome.kind === 'contradicted') {
    throw new EngineError('conflict', `not resolved: ${outcome.says}; that was recorded instead, look at the row`);
  }
  return existingRow(dependencies, at);
}

/**
 * Takes an open proposal from the table: the no of someone who may decide, or its proposer's second thoughts.
 * @throws EngineError `not_allowed` for anyone else, `conflict` when the proposal is open no longer.
 */
export async function denyResolution(
  dependencies: EngineDependencies,
  actor: Actor,
  at: RowPlace,
  denial: { resolutionId: string; reason: string | null },
): Promise<RowDetail> {
  const { row, resolution } = await openProposal(dependencies, at, denial.resolutionId);
  if (resolution.proposedBy.userId !== actor.userId && !roleMay(actor.role, 'decide_run')) {
    throw new EngineError('not_allowed', 'only who proposed it, or one who decides on runs, may deny a proposal');
  }
  const { resolutionId, reason } = denial;
  await inTransaction(dependencies.database, async (transaction) => {
    const closing = { resolutionId, state: 'denied', closedBy: actor.userId, reason } as const;
    if (!(await closeResolution(transaction, closing))) throw new EngineError('conflict', 'the proposal is not open');
    await appendAudit(transaction, {
      actor: actor.userId,
      kind: 'resolution_denied',
      runId: at.runId,
      paymentId: row.paymentId,
      detail: { resolution: resolutionId, reason },
    });
  });
  return existingRow(dependencies, at);
}

async function openProposal(
  dependencies: EngineDependencies,
  at: RowPlace,
  resolutionId: string,
): Promise<{ row: RowDetail; resolution: ResolutionRecord }> {
  const row = await existingRow(dependencies, at);
  const resolution = await readResolution(dependencies.database, resolutionId);
  if (resolution?.paymentId !== row.paymentId) {
    throw new EngineError('not_found', 'this row has no such proposal');
  }
  return { row, resolution };
}

async function askAndConclude({ temporal }: EngineDependencies, input: ResolutionInput): Promise<ConfirmOutcome> {
  try {
    return (await temporal.workflow.execute('resolution', {
      workflowId: resolutionWorkflowId(input.resolutionId),
      taskQueue: ENGINE_TASK_QUEUE,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowExecutionTimeout: CONFIRM_TIMEOUT_MS,
      staticSummary: `Settles an unknown row on ${input.account}`,
    })) as ConfirmOutcome;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      throw new EngineError('conflict', 'somebody is confirming this proposal right now', { cause: error });
    }
    throw new EngineError(
      'unavailable',
      'the provider could not be asked in time, so the proposal stays open; look at the row before you repeat it',
      { cause: error },
    );
  }
}

function errorOf({ why, message }: ResolutionRefusal): EngineError {
  const isPerson = why === 'proposer_confirms' || why === 'maker_confirms';
  return new EngineError(isPerson ? 'not_allowed' : 'conflict', message);
}
