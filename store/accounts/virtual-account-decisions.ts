import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';
import type { VirtualAccountOrder } from './virtual-accounts.ts';

/** Records what a treasurer asks for; a worker sends it. */
export async function requestVirtualAccountAs(
  database: Queryable,
  proof: TokenProof,
  account: string,
  { virtualAccountId, tag, ...order }: VirtualAccountOrder,
): Promise<void> {
  const values = [proof.bytes, virtualAccountId, account, tag, JSON.stringify(order)];
  await callAsUser(database, 'request_virtual_account($1, $2, $3, $4, $5)', values);
}

export async function proposeVirtualAccountAs(
  database: Queryable,
  proof: TokenProof,
  virtualAccountId: string,
  said: { outcome: string; requestId: string | null; number: string | null; reason: string },
): Promise<void> {
  const values = [proof.bytes, virtualAccountId, said.outcome, said.requestId, said.number, said.reason];
  await callAsUser(database, 'propose_virtual_account($1, $2, $3, $4, $5, $6)', values);
}

export async function confirmVirtualAccountAs(
  database: Queryable,
  proof: TokenProof,
  resolutionId: string,
): Promise<void> {
  await callAsUser(database, 'confirm_virtual_account($1, $2)', [proof.bytes, resolutionId]);
}

export async function denyVirtualAccountAs(
  database: Queryable,
  proof: TokenProof,
  resolutionId: string,
  reason: string | null,
): Promise<void> {
  await callAsUser(database, 'deny_virtual_account($1, $2, $3)', [proof.bytes, resolutionId, reason]);
}
