import type { Queryable } from '../database/database.ts';

/** What webhooks of an account took in the database in a day, and what was refused of them. */
export interface WebhookDay {
  bytes: number;
  refused: number;
  refusedBytes: number;
}

/** Adds to the day (UTC) of an account, and answers the bytes of all servers. */
export async function addToWebhookDay(
  database: Queryable,
  account: string,
  day: string,
  { bytes, refused, refusedBytes }: WebhookDay,
): Promise<number> {
  const { rows } = await database.query<{ bytes: number }>(
    `insert into webhook_days (account, day, bytes, refused, refused_bytes) values ($1, $2, $3, $4, $5)
     on conflict (account, day) do update set bytes = webhook_days.bytes + excluded.bytes,
       refused = webhook_days.refused + excluded.refused, refused_bytes = webhook_days.refused_bytes + excluded.refused_bytes
     returning bytes::float8 as bytes`,
    [account, day, bytes, refused, refusedBytes],
  );
  return rows[0]?.bytes ?? 0;
}

/** Removes days before so many ago. */
export async function removeWebhookDays(database: Queryable, olderThanDays: number): Promise<void> {
  await database.query('delete from webhook_days where day < current_date - $1::integer', [olderThanDays]);
}
