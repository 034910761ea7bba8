import { type Database, inTransaction } from '../../store/database/database.ts';

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
