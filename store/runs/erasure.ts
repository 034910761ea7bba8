import type { Proposed } from '../approvals/changes.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Database } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** Proposes to erase what a run has of its payees, once its retention is over. */
export function eraseRunAs(database: Database, tokenHash: TokenHash, runId: string): Promise<Proposed> {
  return callAsUser(database, 'erase_run($1, $2)', [tokenHash.bytes, runId]);
}
