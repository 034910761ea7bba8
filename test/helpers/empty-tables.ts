import { onServer, type TestDatabase } from './test-database.ts';

/**
 * Empties tables, with those that refer to them, as a superuser with the triggers disabled. For tests that begin with nothing: a
 * database for each of them costs far more.
 */
export function emptyTables({ url }: Pick<TestDatabase, 'url'>, ...tables: string[]): Promise<void> {
  return onServer(
    url,
    `set session_replication_role = replica; truncate ${tables.join(', ')} restart identity cascade`,
  );
}
