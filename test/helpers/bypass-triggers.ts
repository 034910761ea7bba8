import { type Database, inTransaction } from '../../store/database/database.ts';
import { onServer, type TestDatabase } from './test-database.ts';

/** Executes a statement without triggers, as only a superuser can. */
export async function bypassTriggers(
  database: Database,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('set local session_replication_role = replica');
    await transaction.query(statement, [...values]);
  });
}

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
