import { callAsUser, type FunctionAnswer } from '../database/call-as-user.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

export interface RecordedDecision {
  decision: 'approved' | 'rejected';
  /** The step of the policy, from 1, and how many steps there are; null for a rejection. */
  step: number | null;
  steps: number | null;
  /** The approval that satisfied the policy: the run may be paid. */
  isLast: boolean;
}

export function decideRunAs(
  database: Database,
  proof: TokenProof,
  decision: { runId: string; kind: RecordedDecision['decision']; contentHash: string; comment: string | null },
): Promise<RecordedDecision & FunctionAnswer> {
  const { runId, kind, contentHash, comment } = decision;
  return callAsUser(database, 'decide_run($1, $2, $3, $4, $5)', [proof.bytes, runId, kind, contentHash, comment]);
}

/** Releases a suspected duplicate. `approvals`: how many earlier approvals of its run are void. */
export function releaseRowAs(
  transaction: Queryable,
  proof: TokenProof,
  release: { paymentId: string; similar: readonly string[]; reason: string },
): Promise<{ approvals: number }> {
  return callAsUser(transaction, 'release_row($1, $2, $3, $4)', [
    proof.bytes,
    release.paymentId,
    release.similar,
    release.reason,
  ]);
}

export async function withdrawRunAs(
  database: Database,
  proof: TokenProof,
  runId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'withdraw_run($1, $2, $3)', [proof.bytes, runId, reason]);
}
