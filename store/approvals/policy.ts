import type { Queryable } from '../database/database.ts';

/** The policy in force, with its version. */
export async function readPolicy(database: Queryable): Promise<unknown> {
  const { rows } = await database.query<{ policy: unknown }>(
    `select policy || jsonb_build_object('version', policy_id) as policy from policies order by policy_id desc limit 1`,
  );
  return rows[0]?.policy ?? null;
}
