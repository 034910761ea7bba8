import { fundsSchedule } from '../../domain/runs/funds-schedule.ts';
import { dayOf } from '../../domain/calendar-date.ts';
import { sweepSchedule, MAX_SWEEP_SIZE } from '../../domain/payments/sweep-schedule.ts';
import { endUnfunded } from '../../store/payments/funding-deadline.ts';
import { readFundingEvents } from '../../store/payments/awaiting-funds.ts';
import { giveUpStalePayments } from '../../store/payments/stale-payments.ts';
import { summarizeInFlight } from '../../store/payments/sweep-plan.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** The share of the rate limit that sweeps may use when one read does not cover all payments. */
const MAX_SHARE_OF_LIMIT = 0.1;

export interface SweepPlan {
  sweepNow: boolean;
  /** Payments wait for funds, and the balances should be read now. */
  readFunds?: boolean;
  /** Payments that wait for funds; absent in histories of the version before. */
  waitingForFunds?: number;
  /** When to plan again if no signal arrives. */
  waitMs: number;
  inFlight: number;
  /** Ended payments whose notification is pending. Histories know the field by this name. */
  untold: number;
  /** Nothing is in flight, and no active run will add more. */
  finished: boolean;
}

/** Decides, from the record alone, whether to read from the provider now, and ends payments that have waited too long. */
export function planSweepActivity({ database, settings, now }: ActivityDependencies) {
  return async function planSweep(input: {
    account: string;
    sinceLastSweepMs: number;
    /** How many payments one read covers, and how many requests the last round took. */
    size?: number;
    lastRequests?: number;
    sinceFundsReadMs?: number;
  }): Promise<SweepPlan> {
    const { account, sinceLastSweepMs, size = MAX_SWEEP_SIZE, lastRequests = 1, sinceFundsReadMs = 0 } = input;
    const { fundsAgeLimitMs } = settings;
    await giveUpStalePayments(database, account, settings.confirmationAgeLimitMs);
    await endUnfunded(database, account, { ageLimitMs: fundsAgeLimitMs, today: dayOf(now()) });
    const seen = await summarizeInFlight(database, account, { fundsAgeLimitMs });
    const { perSecond } = settings.limitOf(account);
    const round = {
      reads: Math.ceil(seen.inFlight / size),
      minGapMs: perSecond === 0 ? 0 : (lastRequests * 1_000) / (perSecond * MAX_SHARE_OF_LIMIT),
    };
    const schedule = sweepSchedule(seen, sinceLastSweepMs, settings.sweep, round);
    const funds = await readFundingEvents(database, account, sinceFundsReadMs);
    const fundsPlan = fundsSchedule(funds, sinceFundsReadMs, settings.funds);
    return {
      sweepNow: schedule.sweepNow,
      readFunds: fundsPlan.readNow,
      waitingForFunds: funds.waitingInAll,
      waitMs: Math.min(schedule.waitMs, fundsPlan.waitMs ?? schedule.waitMs),
      inFlight: seen.inFlight,
      untold: seen.notificationsPending,
      finished:
        seen.inFlight === 0 &&
        seen.notificationsPending === 0 &&
        seen.activeRuns === 0 &&
        seen.unknown === 0 &&
        funds.waitingInAll === 0,
    };
  };
}
