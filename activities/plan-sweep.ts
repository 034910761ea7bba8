import { sweepSchedule } from '../domain/sweep-schedule.ts';
import { giveUpOnOld, summarizeInFlight } from '../store/confirmation.ts';
import type { ActivityDependencies } from './dependencies.ts';

export interface SweepPlan {
  sweepNow: boolean;
  /** Without news, when to plan again. */
  waitMs: number;
  inFlight: number;
  /** Payments that have ended and whose workflows have yet to be told. */
  untold: number;
  /** Nothing in flight, and no run that will bring more. */
  finished: boolean;
}

/** Decides whether the provider is worth a read now, from the record alone. */
export function planSweepActivity({ database, settings }: ActivityDependencies) {
  return async function planSweep(input: { account: string; sinceLastSweepMs: number }): Promise<SweepPlan> {
    await giveUpOnOld(database, input.account, settings.confirmationAgeLimitMs);
    const seen = await summarizeInFlight(database, input.account);
    const schedule = sweepSchedule(seen, input.sinceLastSweepMs, settings.sweep);
    return {
      ...schedule,
      inFlight: seen.inFlight,
      untold: seen.untold,
      finished: seen.inFlight === 0 && seen.untold === 0 && seen.activeRuns === 0,
    };
  };
}
