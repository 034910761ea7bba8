import { callAsUser } from '../../store/database/call-as-user.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { TokenHash } from '../../store/users/token-hash.ts';

/** Releases a row that is known to be like these, as it is now. */
export async function releaseAs(
  database: Queryable,
  tokenHash: TokenHash,
  { paymentId, similar = [], reason }: { paymentId: string; similar?: readonly string[]; reason: string },
): Promise<{ approvals: number; rowCount: number }> {
  return callAsUser(
    database,
    `release_rows($1, (select run_id from payments where payment_id = $2), array[$2], $3, release_hash(array[$2], $3), $4)`,
    [tokenHash.bytes, paymentId, similar, reason],
  );
}
