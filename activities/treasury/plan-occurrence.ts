import type { CurrencyFact } from '../../domain/payment-file/reference-data.ts';
import type { QuotedPair } from '../../domain/treasury/indicative-prices.ts';
import { fixedAmountOf, runFundingQuotes } from '../../domain/treasury/planned-conversions.ts';
import { NO_PLAN, type OccurrencePlan, type PlannedQuote, quotesToAsk } from '../../domain/treasury/occurrence-plan.ts';
import { currenciesOf, type Schedule } from '../../domain/treasury/schedule.ts';
import { isMissed } from '../../domain/treasury/schedule-dates.ts';
import type { Queryable } from '../../store/database/database.ts';
import { readReferences } from '../../store/payment-file/reference-data.ts';
import { type Cash, readCash } from '../../store/treasury/cash-situation.ts';
import type { FreeMoney } from '../../store/treasury/cash.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import { planOccurrence as keepPlan, readOccurrence } from '../../store/treasury/occurrences.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { scheduleIn } from './begin-occurrence.ts';
import { readLocalDay } from '../../store/approvals/local-days.ts';

/**
 * Finds out what an occurrence needs to know before it places its orders, and records it. Answers whether there may be some, and how many
 * prices are asked for before.
 */
export function planOccurrenceActivity(dependencies: ActivityDependencies) {
  const { database } = dependencies;
  return async function planOccurrence({
    occurrenceId,
  }: {
    occurrenceId: string;
  }): Promise<{ why: string | null; quotes: number }> {
    const plan = await planNow(dependencies, occurrenceId);
    await keepPlan(database, occurrenceId, plan);
    return { why: plan.why, quotes: quotesToAsk(plan) };
  };
}

async function planNow(
  { database, settings, now }: ActivityDependencies,
  occurrenceId: string,
): Promise<OccurrencePlan> {
  const { account, definition, scheduleState, scheduledAtMs } = await readOccurrence(database, occurrenceId);
  if (isMissed(scheduledAtMs, now(), settings.schedules.catchUpMs)) return noOrder('started_too_late');
  if (scheduleState !== 'active') return noOrder('schedule_not_active');
  if (await isStopped(database, account, null)) return noOrder('payments_stopped');
  const schedule = scheduleIn(definition);
  const cash = await readOccurrenceCash(database, { account, nowMs: now() });
  return isMoneyKnown(schedule, cash.free) ? planOf(schedule, cash) : noOrder('balance_not_known');
}

function noOrder(why: string): OccurrencePlan {
  return { ...NO_PLAN, why };
}

/** A fixed amount does not depend on it, and is compared with what is free by the guards. */
function isMoneyKnown(schedule: Schedule, free: readonly FreeMoney[]): boolean {
  if (schedule.kind === 'fixed_amount') return true;
  const currencies = currenciesOf(schedule);
  return !free.some(({ currency, historyStatus }) => historyStatus === 'not_usable' && currencies.includes(currency));
}

function planOf(schedule: Schedule, { situation }: OccurrenceCash): OccurrencePlan {
  if (schedule.kind === 'fund_run') {
    const quotes = runFundingQuotes(schedule, situation).map(
      ({ sell, buy, buyAmount }): PlannedQuote => ({
        sellCurrency: sell,
        buyCurrency: buy,
        fixedSide: 'buy',
        amount: buyAmount,
      }),
    );
    return { ...NO_PLAN, quotes };
  }
  const fixed = fixedAmountOf(schedule, situation);
  if ('why' in fixed) return noOrder(fixed.why);
  if (schedule.kind !== 'sweep') return NO_PLAN;
  const { sell, buy } = schedule;
  const quote: PlannedQuote = { sellCurrency: sell, buyCurrency: buy, fixedSide: 'sell', amount: fixed.amount };
  return { ...NO_PLAN, quotes: [quote], sweepDecimals: situation.decimals.get(sell) ?? 0 };
}

/** The provider's list of currencies was read when the schedule was added; decimals of a currency do not change. */
const ANY_AGE_MS = 10 * 365 * 86_400_000;

export interface OccurrenceCash extends Cash {
  decimals: ReadonlyMap<string, number>;
}

export async function readOccurrenceCash(
  database: Queryable,
  { account, nowMs, quotes = [] }: { account: string; nowMs: number; quotes?: readonly QuotedPair[] },
): Promise<OccurrenceCash> {
  const lists = await readReferences(database, account, ANY_AGE_MS);
  const currencies = lists
    .filter(({ kind }) => kind === 'currencies')
    .flatMap(({ content }) => content as CurrencyFact[]);
  const decimals = new Map(currencies.map(({ code, decimalPlaces }) => [code, decimalPlaces]));
  const today = await readLocalDay(database, account, nowMs);
  return { ...(await readCash(database, { account, today, decimals, quotes })), decimals };
}
