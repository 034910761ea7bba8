import type { Queryable } from '../database/database.ts';

/**
 * The database's time, with all its digits, taken before the provider is read. What the read showed is kept as of then:
 * a worker that was thought dead may write it long after, and must not write over what was read since.
 */
export async function beginReading(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ now: string }>('select clock_timestamp()::text as now');
  const [row] = rows;
  if (row === undefined) throw new Error('a clock gave no row');
  return row.now;
}
