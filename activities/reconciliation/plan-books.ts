import { addDays, dayOf } from '../../domain/calendar-date.ts';
import { daysToReconcile } from '../../domain/reconciliation/days-to-reconcile.ts';
import { readReconciledDays } from '../../store/reconciliation/book-days.ts';
import { readFirstDay } from '../../store/reconciliation/day-entries.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { ensureDailyBooks } from './daily-books-schedule.ts';

export interface BooksPlan {
  /** UTC, in their order. */
  days: string[];
}

/** Which days of an account are to be reconciled, from the record. Makes sure that it is done every day from now on. */
export function planBooksActivity({ database, temporal, now }: ActivityDependencies) {
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
    const yesterday = addDays(dayOf(now()), -1);
    return { days: first === null ? [] : daysToReconcile({ ...known, first, yesterday, fromDay, toDay }) };
  };
}
