import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';
import { Parameters } from './row-pages.ts';
import { ASKED, type SuspectFilter, suspectsOf } from './similar-payments.ts';

/** Releases suspected duplicates as they were seen. `approvals`: how many earlier approvals of the run are void. */
export function releaseRowsAs(
  transaction: Queryable,
  tokenHash: TokenHash,
  { runId, filter, hash, reason }: { runId: string; filter: SuspectFilter; hash: string; reason: string },
): Promise<{ rowCount: number; approvals: number }> {
  const parameters = new Parameters(runId);
  const suspects = suspectsOf(filter, parameters);
  const [token, seen, why] = [tokenHash.bytes, hash, reason].map((value) => parameters.add(value));
  return callAsUser(
    transaction,
    `(${suspects} select release_rows(${token}, $1, ${ASKED}, ${seen}, ${why}))`,
    parameters.values,
  );
}

/** Who released a suspected duplicate, and why; the reason null: it was erased. */
export interface StoredRelease {
  by: { userId: string; name: string };
  reason: string | null;
  at: Date;
}

/** SQL: releases with their rows, users and remarks. */
export const RELEASES = `payments join row_releases using (payment_id, attempt) join users using (user_id)
  left join remarks using (remark_id)`;

export async function readRelease(database: Queryable, paymentId: string): Promise<StoredRelease | null> {
  const { rows } = await database.query<StoredRelease>(
    `select jsonb_build_object('userId', user_id, 'name', users.name) as by, remarks.body as reason, released_at as at
     from ${RELEASES} where payment_id = $1`,
    [paymentId],
  );
  return rows[0] ?? null;
}
