import type { Queryable } from '../database/database.ts';

/** The next day after the given one on which ready rows are due, and how many are; null when there is none. */
export async function readNextPayDay(
  database: Queryable,
  runId: string,
  after: string,
): Promise<{ day: string; rows: number } | null> {
  const { rows } = await database.query<{ day: string; rows: number }>(
    `select instruction ->> 'payOn' as day, count(*)::int as rows from payments
     where run_id = $1 and state = 'ready' and instruction ->> 'payOn' > $2
     group by 1 order by 1 limit 1`,
    [runId, after],
  );
  return rows[0] ?? null;
}
