import { callAsUser } from '../../store/database/call-as-user.ts';
import type { Queryable } from '../../store/database/database.ts';
import type { TokenHash } from '../../store/users/token-hash.ts';

/** Releases a row, having seen what it is like now. */
export async function releaseAs(
  database: Queryable,
  tokenHash: TokenHash,
  { paymentId, reason }: { paymentId: string; reason: string },
): Promise<{ approvals: number; rowCount: number }> {
  return callAsUser(
    database,
    `release_rows($1, (select run_id from payments where payment_id = $2), array[$2],
      release_hash(array[$2], array(select payment_id from similar_payments(array[$2]))), $3)`,
    [tokenHash.bytes, paymentId, reason],
  );
}
