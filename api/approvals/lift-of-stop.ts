import type { StopLift, StopSummary } from './stop.ts';

/** What lifts a stop as it was seen: after another request to lift it, it is refused. */
export function liftOf({ stopId, liftRequestedBy }: Pick<StopSummary, 'stopId' | 'liftRequestedBy'>): StopLift & {
  stopId: string;
} {
  return { stopId, liftRequestedBy: liftRequestedBy?.userId ?? null };
}
