import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Measurements } from '../benchmark.ts';
import type { BenchStack } from './bench-stack.ts';

/** Bytes by table with its indexes, bytes of the write-ahead log so far, and the size of Temporal's database file. */
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

/** The growth per payment. Tables that did not grow are left out. */
export function storedPerPayment(before: Stored, after: Stored, payments: number): Measurements {
  const grown = [...after.tables].flatMap(([name, { bytes, rows }]) => {
    const former = before.tables.get(name) ?? { bytes: 0, rows: 0 };
    const added = { bytes: bytes - former.bytes, rows: rows - former.rows };
    return added.bytes > 0 ? [[name, added] as const] : [];
  });
  const perPayment = (amount: number): number => Math.round((amount / payments) * 100) / 100;
  const total = (key: 'bytes' | 'rows'): number => grown.reduce((sum, [, added]) => sum + added[key], 0);
  return {
    postgresBytes: perPayment(total('bytes')),
    postgresRows: perPayment(total('rows')),
    postgresWalBytes: perPayment(after.walBytes - before.walBytes),
    temporalFileBytes: perPayment(after.temporalBytes - before.temporalBytes),
    tables: Object.fromEntries(
      grown.map(([name, { bytes, rows }]) => [name, { bytes: perPayment(bytes), rows: perPayment(rows) }]),
    ),
  };
}

/** The dev server's database with its write-ahead log. */
function temporalFileBytes(home: string): number {
  const file = join(home, 'temporal', 'temporal.db');
  return [file, `${file}-wal`].reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
