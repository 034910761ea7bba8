import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

import { MAIN_TASK_QUEUE, manualOutcomeWorkflowId } from '../../domain/identifiers.ts';
import {
  type ConfirmOutcome,
  objectionToProposal,
  type ManualOutcomeRefusal,
} from '../../domain/payments/manual-outcome.ts';
import {
  confirmManualOutcomeAs,
  rejectManualOutcomeAs,
  proposeManualOutcomeAs,
} from '../../store/payments/manual-outcome-decisions.ts';
import { findByProviderPaymentId } from '../../store/payments/payments.ts';
import { readManualOutcome, type ManualOutcomeRecord } from '../../store/payments/manual-outcomes.ts';
import { evidenceHashOf, readEvidence } from '../../store/payments/row-evidence.ts';
import { readRun } from '../../store/runs/runs.ts';
import type { ManualOutcomeInput } from '../../workflows/messages.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { existingRow } from '../runs/find-row.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { ManualOutcomeProposal } from '../../api/payments/manual-outcome.ts';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** A confirmation asks the provider first; together this must fit into the time of one HTTP request. */
const CONFIRM_TIMEOUT_MS = 25_000;

/**
 * Proposes how an unknown row ended. It applies to what is known of the row now, and takes effect only when a second
 * person confirms it. @throws ApplicationError `conflict` when the row is not unknown or has an open proposal.
 */
export async function proposeManualOutcome(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  key: RowKey,
  proposal: ManualOutcomeProposal,
): Promise<RowDetail> {
  const { database } = dependencies;
  const { paymentId } = await existingRow(dependencies, user, key);
  await refusePaymentOfOtherRow(dependencies, paymentId, proposal.providerPaymentId);
  const evidence = await readEvidence(database, paymentId);
  if (evidence === null) throw new Error('the row no longer exists');
  const objection = objectionToProposal(evidence, proposal);
  if (objection !== null) throw new ApplicationError('conflict', objection);
  // If more becomes known before the proposal is stored, it is void: it is bound to this evidence.
  const evidenceHash = evidenceHashOf(evidence);
  await asApplicationError(proposeManualOutcomeAs(database, user.tokenHash, { paymentId, ...proposal, evidenceHash }));
  return existingRow(dependencies, user, key);
}

/**
 * Confirms the open proposal that the person has seen. The database refuses the proposer and the run's maker.
 * @throws ApplicationError `not_allowed`; `conflict` when the proposal is not open, the row has changed, or the provider says
 * otherwise; `unavailable` when it could not be asked: the proposal stays open then.
 */
export async function confirmManualOutcome(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  key: RowKey,
  { manualOutcomeId }: { manualOutcomeId: string },
): Promise<RowDetail> {
  const { row, manualOutcome } = await proposalOf(dependencies, user, key, manualOutcomeId);
  const confirmed = confirmManualOutcomeAs(dependencies.database, user.tokenHash, manualOutcomeId);
  await asApplicationError(confirmed);
  const run = await readRun(dependencies.database, key.runId);
  const outcome = await askAndConclude(dependencies, {
    manualOutcomeId,
    paymentId: row.paymentId,
    account: run?.account ?? '',
    providerPaymentId: manualOutcome.providerPaymentId ?? row.providerPaymentId,
  });
  if (outcome.kind === 'refused') throw errorOf(outcome.refusal);
  if (outcome.kind === 'contradicted') {
    throw new ApplicationError('conflict', `not resolved: ${outcome.says}; that was recorded instead, look at the row`);
  }
  return existingRow(dependencies, user, key);
}

/**
 * Rejected by a checker, or withdrawn by its proposer.
 * @throws ApplicationError `not_allowed` for anyone else, `conflict` when the proposal is no longer open.
 */
export async function rejectManualOutcome(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  key: RowKey,
  rejection: { manualOutcomeId: string; reason: string | null },
): Promise<RowDetail> {
  await proposalOf(dependencies, user, key, rejection.manualOutcomeId);
  await asApplicationError(rejectManualOutcomeAs(dependencies.database, user.tokenHash, rejection));
  return existingRow(dependencies, user, key);
}

async function proposalOf(
  dependencies: ReviewingDependencies,
  user: SignedIn,
  key: RowKey,
  manualOutcomeId: string,
): Promise<{ row: RowDetail; manualOutcome: ManualOutcomeRecord }> {
  const row = await existingRow(dependencies, user, key);
  const manualOutcome = await readManualOutcome(dependencies.database, manualOutcomeId);
  if (manualOutcome?.paymentId !== row.paymentId) {
    throw new ApplicationError('not_found', 'this row has no such proposal');
  }
  return { row, manualOutcome };
}

async function refusePaymentOfOtherRow(
  { database }: ReviewingDependencies,
  paymentId: string,
  providerPaymentId: string | null,
): Promise<void> {
  const owner =
    providerPaymentId === null ? null : await findByProviderPaymentId(database, paymentId, providerPaymentId);
  if (owner !== null && owner !== paymentId) {
    throw new ApplicationError('conflict', 'that provider payment id is the one of another row');
  }
}

async function askAndConclude({ temporal }: ReviewingDependencies, input: ManualOutcomeInput): Promise<ConfirmOutcome> {
  try {
    return (await temporal.workflow.execute('manualOutcome', {
      workflowId: manualOutcomeWorkflowId(input.manualOutcomeId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      workflowExecutionTimeout: CONFIRM_TIMEOUT_MS,
      staticSummary: `Resolves an unknown row on ${input.account}`,
    })) as ConfirmOutcome;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) {
      throw new ApplicationError('conflict', 'this proposal is being confirmed at the moment', { cause: error });
    }
    throw new ApplicationError(
      'unavailable',
      'the provider could not be asked in time, so the proposal stays open; look at the row before you repeat it',
      { cause: error },
    );
  }
}

function errorOf({ why, message }: ManualOutcomeRefusal): ApplicationError {
  const isPerson = why === 'proposer_confirms' || why === 'maker_confirms';
  return new ApplicationError(isPerson ? 'not_allowed' : 'conflict', message);
}
