import type { Queryable } from '../database/database.ts';

/** Has people told, once, of each refund that the provider has shown for five days and whose money the history does not show. */
export async function recordLateRefunds(database: Queryable, account: string): Promise<void> {
  await database.query('select record_late_refunds($1)', [account]);
}
