import { nextDueDay } from '../store/run-planning.ts';
import { noteRunReason } from '../store/runs.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** The next day on which rows of the run are due, noted on the run for those who wonder why it waits. */
export function nextPayDayActivity({ database }: ActivityDependencies) {
  return async function nextPayDay(input: { runId: string; after: string }): Promise<{ day: string | null }> {
    const next = await nextDueDay(database, input.runId, input.after);
    await noteRunReason(database, input.runId, next === null ? null : `${next.rows} rows are due on ${next.day}`);
    return { day: next?.day ?? null };
  };
}
