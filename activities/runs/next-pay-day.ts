import { countToBegin, nextDueDay } from '../../store/runs/run-planning.ts';
import { noteRunReason } from '../../store/runs/runs.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface NextPayDay {
  day: string | null;
  /** Rows due by now that were not begun, and may be; and those that wait for others to be funded. */
  toBegin?: number;
  waiting?: number;
}

/**
 * The next day on which rows of the run are due, noted on the run for those who wonder why it waits; and how many rows due by
 * now are not begun as others wait for money in their currency.
 */
export function nextPayDayActivity({ database }: ActivityDependencies) {
  return async function nextPayDay(input: { runId: string; after: string }): Promise<NextPayDay> {
    const next = await nextDueDay(database, input.runId, input.after);
    await noteRunReason(database, input.runId, next === null ? null : `${next.rows} rows are due on ${next.day}`);
    return { day: next?.day ?? null, ...(await countToBegin(database, input.runId, input.after)) };
  };
}
