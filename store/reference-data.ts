import type { Queryable } from './database.ts';

export type ReferenceKind = 'currencies' | 'pairs' | 'local_currencies' | 'requirements';

export async function saveReference(
  database: Queryable,
  entry: { account: string; kind: ReferenceKind; key: string; content: unknown },
): Promise<void> {
  await database.query(
    `insert into reference_data (account, kind, key, content) values ($1, $2, $3, $4)
     on conflict (account, kind, key) do update set content = excluded.content, fetched_at = clock_timestamp()`,
    [entry.account, entry.kind, entry.key, JSON.stringify(entry.content)],
  );
}

/** Everything known of an account that is no older than the age limit, by kind and key. */
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
