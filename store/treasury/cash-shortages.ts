import type { Queryable } from '../database/database.ts';

/**
 * What the cash view of an account says: the first day (YYYY-MM-DD) that ends below zero, by currency. People are notified of what is
 * new, in the same transaction.
 */
export async function recordShortages(
  database: Queryable,
  account: string,
  firstDays: Readonly<Record<string, string>>,
): Promise<void> {
  await database.query('select record_shortages($1, $2)', [account, JSON.stringify(firstDays)]);
}
