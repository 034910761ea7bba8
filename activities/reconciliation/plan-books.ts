import { SEEN_AFTER_MS } from '../../domain/reconciliation/book-day.ts';
import { daysToReconcile } from '../../domain/reconciliation/days-to-reconcile.ts';
import { readLastSeenDay, readReconciledDays } from '../../store/reconciliation/book-days.ts';
import { readFirstDay } from '../../store/reconciliation/day-entries.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { ensureDailyBooks } from './daily-books-schedule.ts';

export interface BooksPlan {
  /** UTC, in their order. */
  days: string[];
}

/** Which days of an account are to be reconciled, from the database. Makes sure that it is done every day from now on. */
export function planBooksActivity({ database, temporal }: ActivityDependencies) {
  return async function planBooks(input: {
    account: string;
    /** What somebody asked for; null: what was not reconciled yet. */
    fromDay: string | null;
    toDay: string | null;
  }): Promise<BooksPlan> {
    const { account, fromDay, toDay } = input;
    await ensureDailyBooks(temporal, account);
    const known = await readReconciledDays(database, account);
    const first = await readFirstDay(database, account);
    // Not by the clock of this machine: with a wrong one, the books of a day would be made before it is over.
    const lastSeen = await readLastSeenDay(database, SEEN_AFTER_MS);
    return { days: first === null ? [] : daysToReconcile({ ...known, first, lastSeen, fromDay, toDay }) };
  };
}
