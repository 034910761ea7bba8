import { callAsUser } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

export async function eraseRemarkAs(database: Database, tokenHash: TokenHash, remarkId: string): Promise<void> {
  await callAsUser(database, 'erase_remark($1, $2)', [tokenHash.bytes, remarkId]);
}
