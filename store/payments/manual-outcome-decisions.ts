import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

export async function proposeManualOutcomeAs(
  database: Queryable,
  tokenHash: TokenHash,
  proposal: {
    paymentId: string;
    outcome: string;
    providerPaymentId: string | null;
    reason: string;
    evidenceHash: string;
  },
): Promise<void> {
  await callAsUser(database, 'propose_manual_outcome($1, $2, $3, $4, $5, $6)', [
    tokenHash.bytes,
    proposal.paymentId,
    proposal.outcome,
    proposal.providerPaymentId,
    proposal.reason,
    proposal.evidenceHash,
  ]);
}

export async function confirmManualOutcomeAs(
  database: Database,
  tokenHash: TokenHash,
  manualOutcomeId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_manual_outcome($1, $2)', [tokenHash.bytes, manualOutcomeId]);
}

export async function rejectManualOutcomeAs(
  database: Database,
  tokenHash: TokenHash,
  rejection: { manualOutcomeId: string; reason: string | null },
): Promise<void> {
  await callAsUser(database, 'reject_manual_outcome($1, $2, $3)', [
    tokenHash.bytes,
    rejection.manualOutcomeId,
    rejection.reason,
  ]);
}
