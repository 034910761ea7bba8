import type { FactRange } from '../../store/accounts/fact-sources.ts';
import { answerOfThread } from '../../store/database/answer-of-thread.ts';
import { readDaySize } from '../../store/reconciliation/day-entries.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { compareDay, type ReconciledDay } from './compare-day.ts';

export interface DayForThread {
  databaseUrl: string;
  range: FactRange;
}

/** Half a million entries of one day take 2 GB with their books. */
const MEMORY_MIB = 4_096;

/**
 * Reconciles a day in a thread of its own, so that this one goes on with payments and heartbeats. It has one connection to the
 * database. Fails if the day takes more memory than the thread may have; then nothing of it is stored.
 */
export async function compareInThread(day: DayForThread, memoryMib = MEMORY_MIB): Promise<ReconciledDay> {
  const file = new URL('./reconcile-thread.mjs', import.meta.url);
  return answerOfThread<ReconciledDay>({ file, data: day, memoryMib, purpose: 'reconciles a day' });
}

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
