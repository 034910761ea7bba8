import { Pool } from 'pg';
import type { BenchStack } from './bench-stack.ts';

/** The stack's database, as its owner. When the stack stops, the database goes first from this pool's point of view. */
export function openRecord({ ownerUrl }: Pick<BenchStack, 'ownerUrl'>): Pool {
  const database = new Pool({ connectionString: ownerUrl, max: 1 });
  database.on('error', () => undefined);
  return database;
}
