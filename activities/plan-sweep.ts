import { sweepSchedule, WIDEST_SWEEP } from '../domain/sweep-schedule.ts';
import { giveUpOnOld, summarizeInFlight } from '../store/confirmation.ts';
import type { ActivityDependencies } from './dependencies.ts';

/** Of the requests that the limit allows, what reading may take where one read does not show all. */
const SHARE_OF_LIMIT = 0.1;

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
  return async function planSweep(input: {
    account: string;
    sinceLastSweepMs: number;
    /** How many one read shows, and how many requests the last round took. */
    size?: number;
    lastRequests?: number;
  }): Promise<SweepPlan> {
    const { account, sinceLastSweepMs, size = WIDEST_SWEEP, lastRequests = 1 } = input;
    await giveUpOnOld(database, account, settings.confirmationAgeLimitMs);
    const seen = await summarizeInFlight(database, account);
    const { perSecond } = settings.limitOf(account);
    const round = {
      reads: Math.ceil(seen.inFlight / size),
      leastMs: perSecond === 0 ? 0 : (lastRequests * 1_000) / (perSecond * SHARE_OF_LIMIT),
    };
    const schedule = sweepSchedule(seen, sinceLastSweepMs, settings.sweep, round);
    return {
      ...schedule,
      inFlight: seen.inFlight,
      untold: seen.untold,
      finished: seen.inFlight === 0 && seen.untold === 0 && seen.activeRuns === 0 && seen.unknown === 0,
    };
  };
}
