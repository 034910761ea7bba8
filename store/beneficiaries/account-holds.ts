import type { Queryable } from '../database/database.ts';

/** Holds the rows of an undecided run whose accounts the policy asks to have confirmed in the book, and returns how many. */
export async function holdUnconfirmedAccounts(database: Queryable, runId: string): Promise<number> {
  const { rows } = await database.query<{ held: number }>('select hold_unconfirmed_accounts($1) as held', [runId]);
  return rows[0]?.held ?? 0;
}
