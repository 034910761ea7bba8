import { counted } from '../../domain/counted.ts';
import { countRowsToBegin, readNextPayDay } from '../../store/runs/payable-rows.ts';
import { noteRunReason } from '../../store/runs/run-transition.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface NextPayDay {
  day: string | null;
  /** When it begins in the time zone of the account: milliseconds since the epoch. */
  beginsAtMs: number;
  /** Rows due by now that are not begun: those that may be begun, and those that wait for funds. */
  rowsToBegin: number;
  rowsWaiting: number;
}

/**
 * Finds the next day on which rows of the run are due, and notes it on the run as the reason why it waits. Also counts rows
 * due by now that are not begun because others wait for funds in their currency.
 */
export function nextPayDayActivity({ database }: ActivityDependencies) {
  return async function nextPayDay(input: { runId: string; after: string }): Promise<NextPayDay> {
    const next = await readNextPayDay(database, input.runId, input.after);
    await noteRunReason(
      database,
      input.runId,
      next === null ? null : `${counted(next.rows, 'row is', 'rows are')} due on ${next.day}`,
    );
    return {
      day: next?.day ?? null,
      beginsAtMs: next?.beginsAtMs ?? 0,
      ...(await countRowsToBegin(database, input.runId, input.after)),
    };
  };
}
