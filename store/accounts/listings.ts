import type { Queryable } from '../database/database.ts';

/** A list of the provider that is read as a whole. */
export type Listing = 'refunds' | 'fundings';

/** Before it is asked for: a list that fails is not asked for again at once. */
export async function noteListingAsked(database: Queryable, account: string, kind: Listing): Promise<void> {
  await database.query(
    `insert into listings (account, kind, asked_at) values ($1, $2, clock_timestamp())
     on conflict (account, kind) do update set asked_at = excluded.asked_at`,
    [account, kind],
  );
}

/**
 * Once all of it is stored. `readAt`: when the read began (`beginReading`). What could not be read before and is not listed any more
 * is forgotten.
 */
export async function noteListingRead(
  database: Queryable,
  account: string,
  { kind, readAt }: { kind: Listing; readAt: string },
): Promise<void> {
  await database.query(
    `with gone as (
       delete from unreadable_records where account = $1 and kind = $2 and last_seen_at < $3::timestamptz
     )
     update listings set read_at = greatest(read_at, $3::timestamptz), answered_at = clock_timestamp(), begun_at = null, next_page = null
     where account = $1 and kind = $2`,
    [account, kind, readAt],
  );
}

/** Sets aside what a list has and nobody can read: the money that comes may be theirs, for a while. */
export async function noteUnreadable(
  database: Queryable,
  account: string,
  kind: Listing,
  digests: readonly string[],
): Promise<void> {
  await database.query(
    `insert into unreadable_records (account, kind, digest) select $1, $2, digest from unnest($3::text[]) as digest
     group by digest order by digest
     on conflict (account, kind, digest) do update set last_seen_at = clock_timestamp()`,
    [account, kind, digests],
  );
}

/** Begins a pass through the pages of a list, unless one goes on. Returns when it began. */
export async function beginPass(database: Queryable, account: string, kind: Listing): Promise<string> {
  const { rows } = await database.query<{ begun: string }>(
    `update listings set begun_at = coalesce(begun_at, clock_timestamp()) where account = $1 and kind = $2
     returning begun_at::text as begun`,
    [account, kind],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a list is noted as asked for before its pass begins');
  return row.begun;
}

export async function noteNextPage(database: Queryable, account: string, kind: Listing, page: number): Promise<void> {
  await database.query(
    'update listings set next_page = $3, answered_at = clock_timestamp() where account = $1 and kind = $2',
    [account, kind, page],
  );
}
