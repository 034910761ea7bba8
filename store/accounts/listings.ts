import type { Queryable } from '../database/database.ts';

/** A list of the provider that is read as a whole. */
export type Listing = 'refunds';

/** Before it is asked for: a list that fails is not asked for again at once. */
export async function noteListingAsked(database: Queryable, account: string, kind: Listing): Promise<void> {
  await database.query(
    `insert into listings (account, kind, asked_at) values ($1, $2, clock_timestamp())
     on conflict (account, kind) do update set asked_at = excluded.asked_at`,
    [account, kind],
  );
}

/** Once all of it is stored. `readAt`: when the read began (`beginReading`). */
export async function noteListingRead(
  database: Queryable,
  account: string,
  kind: Listing,
  readAt: string,
): Promise<void> {
  await database.query(
    'update listings set read_at = greatest(read_at, $3::timestamptz) where account = $1 and kind = $2',
    [account, kind, readAt],
  );
}
