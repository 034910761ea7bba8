import type { Queryable } from '../database/database.ts';

/**
 * The database's time at full precision, taken before the provider is read. The result is stored as of this time: a worker
 * that was thought dead may store it much later, and must not overwrite a newer read.
 */
export async function beginReading(database: Queryable): Promise<string> {
  const { rows } = await database.query<{ now: string }>('select clock_timestamp()::text as now');
  const [row] = rows;
  if (row === undefined) throw new Error('a clock gave no row');
  return row.now;
}
