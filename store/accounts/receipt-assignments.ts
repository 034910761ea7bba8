import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

export interface NewReceiptAssignment {
  account: string;
  currency: string;
  entryId: string;
  /** Null: something that payrun does not know. */
  refundId: string | null;
  reason: string;
}

/** Says what a receipt is that nothing explains. */
export async function assignReceiptAs(
  database: Queryable,
  proof: TokenProof,
  { account, currency, entryId, refundId, reason }: NewReceiptAssignment,
): Promise<void> {
  const values = [proof.bytes, account, currency, entryId, refundId, reason];
  await callAsUser(database, 'assign_receipt($1, $2, $3, $4, $5, $6)', values);
}
