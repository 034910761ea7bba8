import type { Queryable } from '../database/database.ts';

/** The IANA name of the time zone of an account; null: of the installation. */
export async function readTimeZone(database: Queryable, account: string | null): Promise<string> {
  const { rows } = await database.query<{ zone: string }>('select time_zone_of($1) as zone', [account]);
  return rows[0]?.zone ?? 'UTC';
}

/** The day at this time in the time zone of the account, YYYY-MM-DD: its rows are due on such days. */
export async function readLocalDay(database: Queryable, account: string, timeMs: number): Promise<string> {
  const { rows } = await database.query<{ day: string }>('select local_day($1, $2) as day', [
    account,
    new Date(timeMs),
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error('a database function gave no answer');
  return row.day;
}
