import type { Queryable } from '../database/database.ts';

export async function readPolicy(database: Queryable): Promise<unknown> {
  const { rows } = await database.query<{ policy: unknown }>('select current_policy() as policy');
  return rows[0]?.policy ?? null;
}
