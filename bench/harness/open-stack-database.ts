import { Pool } from 'pg';
import type { BenchStack } from './bench-stack.ts';

/** Connects to the stack's database as its owner. */
export function openStackDatabase({ ownerUrl }: Pick<BenchStack, 'ownerUrl'>): Pool {
  const database = new Pool({ connectionString: ownerUrl, max: 1 });
  // The database may stop before this pool is closed.
  database.on('error', () => undefined);
  return database;
}
