import type { Queryable } from '../database/database.ts';

/** What changes about something that is watched. */
export interface StoredTopic {
  state: string | null;
  count: number;
  changedAt: Date | null;
}

/** The runs of these accounts; null: of all. */
export async function readRunsTopic(database: Queryable, accounts: readonly string[] | null): Promise<StoredTopic> {
  const { rows } = await database.query<StoredTopic>(
    `select null as state, count(*)::int as count,
       max(greatest(submitted_at, decided_at, started_at, finished_at)) as "changedAt"
     from runs where $1::text[] is null or account = any($1)`,
    [accounts],
  );
  return rows[0] ?? { state: null, count: 0, changedAt: null };
}

const TABLES = {
  order: { table: 'conversion_orders', id: 'order_id' },
  case: { table: 'cases', id: 'case_id' },
} as const;

/** Null: there is no such order or case of these accounts. */
export async function readTopic(
  database: Queryable,
  topic: { kind: keyof typeof TABLES; id: string },
  accounts: readonly string[] | null,
): Promise<StoredTopic | null> {
  const { table, id } = TABLES[topic.kind];
  const { rows } = await database.query<StoredTopic>(
    `select state, 1 as count, changed_at as "changedAt" from ${table}
     where ${id} = $1 and ($2::text[] is null or account = any($2))`,
    [topic.id, accounts],
  );
  return rows[0] ?? null;
}
