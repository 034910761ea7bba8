import type { Queryable } from '../database/database.ts';

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
