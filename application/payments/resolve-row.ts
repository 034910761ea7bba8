import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { ConfirmOutcome } from '../../activities/payments/conclude-resolution.ts';
import { ENGINE_TASK_QUEUE, resolutionWorkflowId } from '../../domain/identifiers.ts';
import { objectionToProposal, type ResolutionRefusal } from '../../domain/payments/resolution.ts';
import { confirmResolutionAs, denyResolutionAs, proposeResolutionAs } from '../../store/approvals/authority.ts';
import { paymentOfProviderId } from '../../store/payments/payments.ts';
import { readResolution, type ResolutionRecord } from '../../store/payments/resolutions.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { readRun } from '../../store/runs/runs.ts';
import type { ResolutionInput } from '../../workflows/messages.ts';
import type { RowPlace } from '../application-api.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { existingRow } from '../runs/existing-row.ts';
import { asApplicationError } from '../audit/record-refusal.ts';
import type { ResolutionProposal, RowDetail } from '../runs/row-detail.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** The provider is asked before a confirmation counts, and all of it fits a request's time. */
const CONFIRM_TIMEOUT_MS = 25_000;

/**
 * Proposes how an unknown row ended. It counts for what is known of the row at this moment, and takes effect only when
 * a second person confirms it. @throws ApplicationError `conflict` when the row is not unknown or has an open proposal.
 */
export async function proposeResolution(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  at: RowPlace,
  proposal: ResolutionProposal,
): Promise<RowDetail> {
  const { database } = dependencies;
  const { paymentId } = await existingRow(dependencies, user, at);
  await refuseOthersPayment(dependencies, paymentId, proposal.providerPaymentId);
  const evidence = await readEvidence(database, paymentId);
  if (evidence === null) throw new Error('a row is gone');
  const objection = objectionToProposal(evidence, proposal);
  if (objection !== null) throw new ApplicationError('conflict', objection);
  // Should more become known between here and there, the proposal is bound to what was known here, and is void.
  const evidenceHash = evidenceHashOf(evidence);
  await asApplicationError(proposeResolutionAs(database, user.proof, { paymentId, ...proposal, evidenceHash }));
  return existingRow(dependencies, user, at);
}

/**
 * Confirms the open proposal that the person has seen. The proposer and the run's maker are refused by the record.
 * @throws ApplicationError `not_allowed`; `conflict` when the proposal is not open, the row has changed, or the provider says
 * otherwise; `unavailable` when it could not be asked: the proposal stays open then.
 */
export async function confirmResolution(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  at: RowPlace,
  { resolutionId }: { resolutionId: string },
): Promise<RowDetail> {
  const { row, resolution } = await proposalOf(dependencies, user, at, resolutionId);
  await asApplicationError(confirmResolutionAs(dependencies.database, user.proof, resolutionId));
  const run = await readRun(dependencies.database, at.runId);
  const outcome = await askAndConclude(dependencies, {
    resolutionId,
    paymentId: row.paymentId,
    account: run?.account ?? '',
    providerPaymentId: resolution.providerPaymentId ?? row.providerPaymentId,
  });
  if (outcome.kind === 'refused') throw errorOf(outcome.refusal);
  if (outcome.kind === 'contradicted') {
    throw new ApplicationError('conflict', `not resolved: ${outcome.says}; that was recorded instead, look at the row`);
  }
  return existingRow(dependencies, user, at);
}

/**
 * Denied by a checker, or withdrawn by its proposer.
 * @throws ApplicationError `not_allowed` for anyone else, `conflict` when the proposal is open no longer.
 */
export async function denyResolution(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  at: RowPlace,
  denial: { resolutionId: string; reason: string | null },
): Promise<RowDetail> {
  await proposalOf(dependencies, user, at, denial.resolutionId);
  await asApplicationError(denyResolutionAs(dependencies.database, user.proof, denial));
  return existingRow(dependencies, user, at);
}

async function proposalOf(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  at: RowPlace,
  resolutionId: string,
): Promise<{ row: RowDetail; resolution: ResolutionRecord }> {
  const row = await existingRow(dependencies, user, at);
  const resolution = await readResolution(dependencies.database, resolutionId);
  if (resolution?.paymentId !== row.paymentId) {
    throw new ApplicationError('not_found', 'this row has no such proposal');
  }
  return { row, resolution };
}

async function refuseOthersPayment(
  { database }: ReviewingDependencies,
  paymentId: string,
  providerPaymentId: string | null,
): Promise<void> {
  const owner = providerPaymentId === null ? null : await paymentOfProviderId(database, providerPaymentId);
  if (owner !== null && owner !== paymentId) {
    throw new ApplicationError('conflict', 'that provider payment id is the one of another row');
  }
}

async function askAndConclude({ temporal }: ReviewingDependencies, input: ResolutionInput): Promise<ConfirmOutcome> {
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
      throw new ApplicationError('conflict', 'somebody is confirming this proposal right now', { cause: error });
    }
    throw new ApplicationError(
      'unavailable',
      'the provider could not be asked in time, so the proposal stays open; look at the row before you repeat it',
      { cause: error },
    );
  }
}

function errorOf({ why, message }: ResolutionRefusal): ApplicationError {
  const isPerson = why === 'proposer_confirms' || why === 'maker_confirms';
  return new ApplicationError(isPerson ? 'not_allowed' : 'conflict', message);
}
