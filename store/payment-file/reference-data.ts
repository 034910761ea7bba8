import type { Queryable } from '../database/database.ts';

export type ReferenceKind = 'currencies' | 'pairs' | 'local_currencies' | 'requirements' | 'countries';

/** Stores what a read that began at `readAt` (`beginReading`) showed, unless a later read is stored. */
export async function saveReference(
  database: Queryable,
  entry: { account: string; kind: ReferenceKind; key: string; content: unknown; readAt: string },
): Promise<void> {
  await database.query(
    `insert into reference_data (account, kind, key, content, fetched_at) values ($1, $2, $3, $4, $5)
     on conflict (account, kind, key) do update set content = excluded.content, fetched_at = excluded.fetched_at
     -- A future timestamp means that the clock was changed: overwrite it.
     where reference_data.fetched_at <= excluded.fetched_at or reference_data.fetched_at > clock_timestamp()`,
    [entry.account, entry.kind, entry.key, JSON.stringify(entry.content), entry.readAt],
  );
}

/** An account's reference data that is no older than the age limit. */
export async function readReferences(
  database: Queryable,
  account: string,
  maxAgeMs: number,
): Promise<{ kind: ReferenceKind; key: string; content: unknown }[]> {
  const { rows } = await database.query<{ kind: ReferenceKind; key: string; content: unknown }>(
    `select kind, key, content from reference_data
     where account = $1 and fetched_at > clock_timestamp() - make_interval(secs => $2)`,
    [account, maxAgeMs / 1000],
  );
  return rows;
}
