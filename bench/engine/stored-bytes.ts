import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Findings } from '../benchmark.ts';
import type { BenchStack } from './bench-stack.ts';

/** What is stored at a moment: bytes by table with its indexes, the log that was written so far, Temporal's file. */
interface Stored {
  readonly tables: ReadonlyMap<string, { readonly bytes: number; readonly rows: number }>;
  readonly walBytes: number;
  readonly temporalBytes: number;
}

export async function readStored(database: Pool, { home }: BenchStack): Promise<Stored> {
  const { rows: names } = await database.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace`,
  );
  const tables = new Map<string, { bytes: number; rows: number }>();
  for (const { name, bytes } of names) {
    const { rows } = await database.query<{ count: number }>(`select count(*)::int as count from "${name}"`);
    tables.set(name, { bytes: Number(bytes), rows: rows[0]?.count ?? 0 });
  }
  const { rows: wal } = await database.query<{ bytes: string }>(`select pg_current_wal_lsn() - '0/0' as bytes`);
  return { tables, walBytes: Number(wal[0]?.bytes ?? 0), temporalBytes: temporalFileBytes(home) };
}

/** What a run of so many payments has added, per payment. Tables that did not grow are left out. */
export function storedPerPayment(before: Stored, after: Stored, payments: number): Findings {
  const grown = [...after.tables].flatMap(([name, { bytes, rows }]) => {
    const was = before.tables.get(name) ?? { bytes: 0, rows: 0 };
    const added = { bytes: bytes - was.bytes, rows: rows - was.rows };
    return added.bytes > 0 ? [[name, added] as const] : [];
  });
  const perPayment = (amount: number): number => Math.round((amount / payments) * 100) / 100;
  const inAll = (key: 'bytes' | 'rows'): number => grown.reduce((sum, [, added]) => sum + added[key], 0);
  return {
    postgresBytes: perPayment(inAll('bytes')),
    postgresRows: perPayment(inAll('rows')),
    postgresWalBytes: perPayment(after.walBytes - before.walBytes),
    temporalFileBytes: perPayment(after.temporalBytes - before.temporalBytes),
    tables: Object.fromEntries(
      grown.map(([name, { bytes, rows }]) => [name, { bytes: perPayment(bytes), rows: perPayment(rows) }]),
    ),
  };
}

/** The dev server's database, with what has not yet been written into it from its log. */
function temporalFileBytes(home: string): number {
  const file = join(home, 'temporal', 'temporal.db');
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
