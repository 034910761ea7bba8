import { type Database, inTransaction } from '../../store/database/database.ts';

/** Changes the record as only a superuser could: past every trigger. */
export async function pastTriggers(
  database: Database,
  statement: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await transaction.query('set local session_replication_role = replica');
    await transaction.query(statement, [...values]);
  });
}
