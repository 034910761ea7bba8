import { objectionToProposal } from '../../domain/resolution.ts';
import type { Actor } from '../../domain/role.ts';
import { appendAudit } from '../../store/audit.ts';
import { inTransaction } from '../../store/database.ts';
import { paymentOfProviderId } from '../../store/payments.ts';
import { addResolution } from '../../store/resolutions.ts';
import { evidenceHashOf, readEvidence } from '../../store/row-evidence.ts';
import type { RowPlace } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { existingRow } from './existing-row.ts';
import type { ResolutionProposal, RowDetail } from './row-detail.ts';

/**
 * Proposes how an unknown row ended. It counts for what is known of the row at this moment, and takes effect only when
 * a second person confirms it. @throws EngineError `conflict` when the row is not unknown or has an open proposal.
 */
export async function proposeResolution(
  dependencies: EngineDependencies,
  actor: Actor,
  at: RowPlace,
  proposal: ResolutionProposal,
): Promise<RowDetail> {
  const { paymentId } = await existingRow(dependencies, at);
  await refuseOthersPayment(dependencies, paymentId, proposal.providerPaymentId);
  await inTransaction(dependencies.database, async (transaction) => {
    const evidence = await readEvidence(transaction, paymentId, { lock: true });
    if (evidence === null) throw new Error('a row is gone');
    const objection = objectionToProposal(evidence, proposal);
    if (objection !== null) throw new EngineError('conflict', objection);
    const resolutionId = await addResolution(transaction, {
      ...proposal,
      paymentId,
      evidenceHash: evidenceHashOf(evidence),
      proposedBy: actor.userId,
    });
    if (resolutionId === null) {
      throw new EngineError('conflict', 'there is an open proposal for this row: have it confirmed or denied first');
    }
    await appendAudit(transaction, {
      actor: actor.userId,
      kind: 'resolution_proposed',
      runId: at.runId,
      paymentId,
      detail: { resolution: resolutionId, ...proposal },
    });
  });
  return existingRow(dependencies, at);
}

async function refuseOthersPayment(
  { database }: EngineDependencies,
  paymentId: string,
  providerPaymentId: string | null,
): Promise<void> {
  const owner = providerPaymentId === null ? null : await paymentOfProviderId(database, providerPaymentId);
  if (owner !== null && owner !== paymentId) {
    throw new EngineError('conflict', 'that provider payment id is the one of another row');
  }
}
