import { callAsUser } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenProof } from '../users/token-proof.ts';

export async function eraseRemarkAs(database: Database, proof: TokenProof, remarkId: string): Promise<void> {
  await callAsUser(database, 'erase_remark($1, $2)', [proof.bytes, remarkId]);
}
