import type { Proposed } from '../approvals/changes.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

export function eraseRemarkAs(database: Database, tokenHash: TokenHash, remarkId: string): Promise<Proposed> {
  return callAsUser(database, 'erase_remark($1, $2)', [tokenHash.bytes, remarkId]);
}
