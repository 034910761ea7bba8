import pg from 'pg';
import type { DataKeys, KeyUse } from '../../domain/personal-data/data-keys.ts';
import type { Queryable } from '../database/database.ts';
import { countByKey, rewrapAll, type Rewrapping } from './key-rotation.ts';

/** What `payrun keys` does in the database: no process may change wrapped keys, so the owner rotates them. */

export function readKeyUse(databaseUrl: string): Promise<KeyUse[]> {
  return connected(databaseUrl, countByKey);
}

export function rotateKeys(ownerUrl: string, keys: DataKeys): Promise<Rewrapping> {
  return connected(ownerUrl, (owner) => rewrapAll(owner, keys));
}

export async function connected<T>(databaseUrl: string, work: (connection: Queryable) => Promise<T>): Promise<T> {
  const connection = new pg.Client({ connectionString: databaseUrl });
  // If the server ends, the current query fails; an unhandled error event would end this process as well.
  connection.on('error', () => undefined);
  await connection.connect();
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
