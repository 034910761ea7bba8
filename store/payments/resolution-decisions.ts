import { callAsUser } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

export async function proposeResolutionAs(
  database: Queryable,
  proof: TokenProof,
  proposal: {
    paymentId: string;
    outcome: string;
    providerPaymentId: string | null;
    reason: string;
    evidenceHash: string;
  },
): Promise<void> {
  await callAsUser(database, 'propose_resolution($1, $2, $3, $4, $5, $6)', [
    proof.bytes,
    proposal.paymentId,
    proposal.outcome,
    proposal.providerPaymentId,
    proposal.reason,
    proposal.evidenceHash,
  ]);
}

export async function confirmResolutionAs(database: Database, proof: TokenProof, resolutionId: string): Promise<void> {
  await callAsUser(database, 'confirm_resolution($1, $2)', [proof.bytes, resolutionId]);
}

export async function denyResolutionAs(
  database: Database,
  proof: TokenProof,
  denial: { resolutionId: string; reason: string | null },
): Promise<void> {
  await callAsUser(database, 'deny_resolution($1, $2, $3)', [proof.bytes, denial.resolutionId, denial.reason]);
}
