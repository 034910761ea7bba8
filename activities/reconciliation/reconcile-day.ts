import type { FactRange } from '../../store/accounts/fact-sources.ts';
import { readDaySize } from '../../store/reconciliation/day-entries.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { compareDay, type ReconciledDay } from './compare-day.ts';
import { compareInThread } from './compare-in-thread.ts';

/** A day with more entries would keep other activities and heartbeats waiting for longer than half a second. */
const MAX_ENTRIES_HERE = 2_000;

/** Reconciles one day of an account: a large one in a thread of its own. */
export function reconcileDayActivity(
  { database }: Pick<ActivityDependencies, 'database'>,
  maxEntriesHere = MAX_ENTRIES_HERE,
) {
  return async function reconcileDay(range: FactRange): Promise<ReconciledDay> {
    const databaseUrl = database.options.connectionString;
    const isLarge = (await readDaySize(database, range)) > maxEntriesHere;
    return isLarge && databaseUrl !== undefined ? compareInThread({ databaseUrl, range }) : compareDay(database, range);
  };
}
