import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';
import type { VirtualAccountOrder } from './virtual-accounts.ts';

/** Records what a treasurer asks for; a worker sends it. */
export async function requestVirtualAccountAs(
  database: Queryable,
  tokenHash: TokenHash,
  account: string,
  { virtualAccountId, tag, ...order }: VirtualAccountOrder,
): Promise<void> {
  const values = [tokenHash.bytes, virtualAccountId, account, tag, JSON.stringify(order)];
  await callAsUser(database, 'request_virtual_account($1, $2, $3, $4, $5)', values);
}

export async function proposeVirtualAccountAs(
  database: Queryable,
  tokenHash: TokenHash,
  virtualAccountId: string,
  said: { outcome: string; requestId: string | null; number: string | null; reason: string },
): Promise<void> {
  const values = [tokenHash.bytes, virtualAccountId, said.outcome, said.requestId, said.number, said.reason];
  await callAsUser(database, 'propose_virtual_account($1, $2, $3, $4, $5, $6)', values);
}

export async function confirmVirtualAccountAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_virtual_account($1, $2)', [tokenHash.bytes, manualOutcomeId]);
}

export async function rejectVirtualAccountAs(
  database: Queryable,
  tokenHash: TokenHash,
  manualOutcomeId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'reject_virtual_account($1, $2, $3)', [tokenHash.bytes, manualOutcomeId, reason]);
}
