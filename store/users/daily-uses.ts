import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenHash } from './token-hash.ts';

/** What a user may ask for in a day, of a kind. Null: there is no limit. */
export interface DailyLimit {
  uses: number | null;
  bytes: number | null;
}

/** Counts one more of the kind, with so many bytes. @throws Refused when that is more than the day allows */
export async function useDailyAs(
  database: Queryable,
  tokenHash: TokenHash,
  { kind, bytes }: { kind: 'upload' | 'report'; bytes: number },
  limit: DailyLimit,
): Promise<void> {
  await callAsUser(database, 'use_daily($1, $2, $3, $4, $5)', [tokenHash.bytes, kind, bytes, limit.uses, limit.bytes]);
}
