import { fundsSchedule } from '../../domain/runs/funds-schedule.ts';
import { pollSchedule } from '../../domain/payments/poll-schedule.ts';
import { endUnfunded } from '../../store/payments/funding-deadline.ts';
import { readFundingEvents } from '../../store/payments/awaiting-funds.ts';
import { giveUpStalePayments } from '../../store/payments/stale-payments.ts';
import { summarizeInFlight } from '../../store/payments/poll-plan.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** The share of the rate limit that polling may use when one read does not cover all payments. */
const MAX_SHARE_OF_LIMIT = 0.1;

export interface StatusPollPlan {
  pollNow: boolean;
  /** Payments wait for funds, and the balances should be read now. */
  readBalances: boolean;
  /** Payments that wait for funds. */
  awaitingFunds: number;
  /** When to plan again if no signal arrives. */
  waitMs: number;
  inFlight: number;
  /** Ended payments whose workflows are still to be notified. */
  pendingNotifications: number;
  /** Nothing is in flight, and no active run will add more. */
  isFinished: boolean;
}

/** Decides, from the database alone, whether to read from the provider now, and ends payments that have waited too long. */
export function planStatusPollActivity({ database, settings, now }: ActivityDependencies) {
  return async function planStatusPoll(input: {
    account: string;
    sinceLastPollMs: number;
    /** How many payments one read covers, and how many requests the last round took. */
    size: number;
    lastRequests: number;
    sinceBalanceReadMs: number;
  }): Promise<StatusPollPlan> {
    const { account, sinceLastPollMs, size, lastRequests, sinceBalanceReadMs } = input;
    const { fundsAgeLimitMs } = settings;
    await giveUpStalePayments(database, account, settings.confirmationAgeLimitMs);
    await endUnfunded(database, account, { ageLimitMs: fundsAgeLimitMs, at: new Date(now()) });
    const seen = await summarizeInFlight(database, account, { fundsAgeLimitMs });
    const { perSecond } = settings.limitOf(account);
    const round = {
      reads: Math.ceil(seen.inFlight / size),
      minGapMs: perSecond === 0 ? 0 : (lastRequests * 1_000) / (perSecond * MAX_SHARE_OF_LIMIT),
    };
    const schedule = pollSchedule(seen, sinceLastPollMs, settings.poll, round);
    const funds = await readFundingEvents(database, account, sinceBalanceReadMs);
    const fundsPlan = fundsSchedule(funds, sinceBalanceReadMs, settings.funds);
    return {
      pollNow: schedule.pollNow,
      readBalances: fundsPlan.readNow,
      awaitingFunds: funds.waitingInAll,
      waitMs: Math.min(schedule.waitMs, fundsPlan.waitMs ?? schedule.waitMs),
      inFlight: seen.inFlight,
      pendingNotifications: seen.notificationsPending,
      isFinished:
        seen.inFlight === 0 &&
        seen.notificationsPending === 0 &&
        seen.activeRuns === 0 &&
        seen.unknown === 0 &&
        funds.waitingInAll === 0,
    };
  };
}
