import type { Queryable } from './database.ts';

/** Bytes that the database takes on its disk. */
export async function readDatabaseSize(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return rows[0]?.bytes ?? 0;
}
