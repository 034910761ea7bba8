import type { ConversionQuoteRequest } from '../../provider/treasury/conversion-fields.ts';
import { fixedAmountOf, runFundingQuotes } from '../../domain/treasury/planned-conversions.ts';
import { currenciesOf, type Schedule } from '../../domain/treasury/schedule.ts';
import { isMissed } from '../../domain/treasury/schedule-dates.ts';
import type { FreeMoney } from '../../store/treasury/cash.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import { readOccurrence } from '../../store/treasury/occurrences.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { scheduleIn } from './begin-occurrence.ts';
import { type OccurrenceCash, readOccurrenceCash } from './occurrence-cash.ts';

export type QuoteAsked = Pick<ConversionQuoteRequest, 'sellCurrency' | 'buyCurrency' | 'fixedSide' | 'amount'>;

export type OccurrencePlan =
  | { kind: 'no_order'; why: string }
  /** The orders can be placed, once these were quoted. */
  | { kind: 'place'; quotes: QuoteAsked[] }
  /** What is sold has to leave the floor with the fees: found out by quotes. */
  | { kind: 'sweep'; quote: QuoteAsked; decimals: number };

/** What an occurrence needs to know before it places its orders. */
export function planOccurrenceActivity({ database, settings, now }: ActivityDependencies) {
  return async function planOccurrence({ occurrenceId }: { occurrenceId: string }): Promise<OccurrencePlan> {
    const { account, definition, scheduleState, scheduledAtMs } = await readOccurrence(database, occurrenceId);
    if (isMissed(scheduledAtMs, now(), settings.schedules.catchUpMs))
      return { kind: 'no_order', why: 'started_too_late' };
    if (scheduleState !== 'active') return { kind: 'no_order', why: 'schedule_not_active' };
    if (await isStopped(database, account, null)) return { kind: 'no_order', why: 'payments_stopped' };
    const schedule = scheduleIn(definition);
    const cash = await readOccurrenceCash(database, { account, nowMs: now() });
    if (!isMoneyKnown(schedule, cash.free)) return { kind: 'no_order', why: 'balance_not_known' };
    return planOf(schedule, cash);
  };
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
      ({ sell, buy, buyAmount }): QuoteAsked => ({
        sellCurrency: sell,
        buyCurrency: buy,
        fixedSide: 'buy',
        amount: buyAmount,
      }),
    );
    return { kind: 'place', quotes };
  }
  const fixed = fixedAmountOf(schedule, situation);
  if ('why' in fixed) return { kind: 'no_order', why: fixed.why };
  if (schedule.kind !== 'sweep') return { kind: 'place', quotes: [] };
  const { sell, buy } = schedule;
  const quote: QuoteAsked = { sellCurrency: sell, buyCurrency: buy, fixedSide: 'sell', amount: fixed.amount };
  return { kind: 'sweep', quote, decimals: situation.decimals.get(sell) ?? 0 };
}
