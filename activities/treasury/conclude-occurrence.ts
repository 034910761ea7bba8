import {
  endOfOrders,
  endWithoutOrders,
  type OccurrenceEnd,
  type PauseReason,
  pauseReason,
} from '../../domain/treasury/occurrence-end.ts';
import {
  endOccurrence,
  readEarlierEnds,
  readOccurrence,
  readOccurrenceOrders,
} from '../../store/treasury/occurrences.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export interface EndedOccurrence {
  ended: OccurrenceEnd;
  /** Why payrun has paused the schedule; null: it goes on. */
  pause: PauseReason | null;
}

/** Ends an occurrence once its orders are decided, or there are none, as its plan says. Null: not yet. */
export function concludeOccurrenceActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function concludeOccurrence({
    occurrenceId,
  }: {
    occurrenceId: string;
  }): Promise<EndedOccurrence | null> {
    const { why } = (await readOccurrence(database, occurrenceId)).plan;
    const orders = await readOccurrenceOrders(database, occurrenceId);
    if (orders.length === 0 && why !== null) {
      return end(dependencies, occurrenceId, { ended: endWithoutOrders(why), reason: why });
    }
    const ended = endOfOrders(orders);
    return ended === null ? null : end(dependencies, occurrenceId, ended);
  };
}

/**
 * Ends one that could not be carried out. Null: it has placed orders before an outage of the workers, and they end it.
 * `isOutage`: no worker has worked on it, so that no bug is the reason.
 */
export function failOccurrenceActivity(dependencies: ActivityDependencies) {
  return async function failOccurrence({
    occurrenceId,
    isOutage,
  }: {
    occurrenceId: string;
    isOutage: boolean;
  }): Promise<EndedOccurrence | null> {
    if (!isOutage) return end(dependencies, occurrenceId, { ended: 'defect', reason: 'payrun_failed' });
    const orders = await readOccurrenceOrders(dependencies.database, occurrenceId);
    return orders.length > 0 ? null : end(dependencies, occurrenceId, { ended: 'missed', reason: 'started_too_late' });
  };
}

async function end(
  { database }: ActivityDependencies,
  occurrenceId: string,
  { ended, reason }: { ended: OccurrenceEnd; reason: string | null },
): Promise<EndedOccurrence> {
  const { scheduleId } = await readOccurrence(database, occurrenceId);
  const earlier = await readEarlierEnds(database, { scheduleId, occurrenceId });
  const pause = pauseReason([ended, ...earlier]);
  await endOccurrence(database, occurrenceId, { ended, reason, pause });
  return { ended, pause };
}
