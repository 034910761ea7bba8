import { fundsSchedule } from '../../domain/runs/funds-schedule.ts';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { sweepSchedule, WIDEST_SWEEP } from '../../domain/payments/sweep-schedule.ts';
import { endUnfunded, readFundsNews } from '../../store/payments/awaiting-funds.ts';
import { giveUpOnOld, summarizeInFlight } from '../../store/payments/confirmation.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** Of the requests that the limit allows, what reading may take where one read does not show all. */
const SHARE_OF_LIMIT = 0.1;

export interface SweepPlan {
  sweepNow: boolean;
  /** Payments wait for money, and it is time to look whether some came. */
  readFunds?: boolean;
  /** Payments that wait for money; absent in histories of the version before. */
  waitingForFunds?: number;
  /** Without news, when to plan again. */
  waitMs: number;
  inFlight: number;
  /** Payments that have ended and whose workflows have yet to be told. */
  /** Payments whose end their workflows are still to be told. Histories know the field by this name. */
  untold: number;
  /** Nothing in flight, and no run that will bring more. */
  finished: boolean;
}

/** Decides whether the provider is worth a read now, from the record alone, and ends what has waited for too long. */
export function planSweepActivity({ database, settings, now }: ActivityDependencies) {
  return async function planSweep(input: {
    account: string;
    sinceLastSweepMs: number;
    /** How many one read shows, and how many requests the last round took. */
    size?: number;
    lastRequests?: number;
    sinceFundsReadMs?: number;
  }): Promise<SweepPlan> {
    const { account, sinceLastSweepMs, size = WIDEST_SWEEP, lastRequests = 1, sinceFundsReadMs = 0 } = input;
    const { fundsAgeLimitMs } = settings;
    await giveUpOnOld(database, account, settings.confirmationAgeLimitMs);
    await endUnfunded(database, account, { ageLimitMs: fundsAgeLimitMs, today: dayOf(now()) });
    const seen = await summarizeInFlight(database, account, { fundsAgeLimitMs });
    const { perSecond } = settings.limitOf(account);
    const round = {
      reads: Math.ceil(seen.inFlight / size),
      leastMs: perSecond === 0 ? 0 : (lastRequests * 1_000) / (perSecond * SHARE_OF_LIMIT),
    };
    const schedule = sweepSchedule(seen, sinceLastSweepMs, settings.sweep, round);
    const news = await readFundsNews(database, account, sinceFundsReadMs);
    const funds = fundsSchedule(news, sinceFundsReadMs, settings.funds);
    return {
      sweepNow: schedule.sweepNow,
      readFunds: funds.readNow,
      waitingForFunds: news.waiting,
      waitMs: Math.min(schedule.waitMs, funds.waitMs ?? schedule.waitMs),
      inFlight: seen.inFlight,
      untold: seen.notificationsPending,
      finished:
        seen.inFlight === 0 &&
        seen.notificationsPending === 0 &&
        seen.activeRuns === 0 &&
        seen.unknown === 0 &&
        news.waiting === 0,
    };
  };
}
