import Big from 'big.js';
import { sweepAmount, topUpAmount } from './conversion-amount.ts';
import type { ConversionReason } from './conversion-reason-codes.ts';
import { quotient } from './ratio.ts';
import { type IndicativePrice, planRunFunding } from './run-funding.ts';
import type { Schedule } from './schedule.ts';

/** What an occurrence of a schedule would convert, at indicative prices. Amounts are decimal strings. */

export interface ConversionStep {
  sell: string;
  buy: string;
  sellAmount: string;
  buyAmount: string;
}

export interface CashSituation {
  /** The decimals of every currency that takes part. */
  decimals: ReadonlyMap<string, number>;
  free: (currency: string) => string;
  /** Bought and not yet credited. */
  incoming: (currency: string) => string;
  /** Planned costs of the following days, without those that have gone out. */
  plannedWithin: (currency: string, days: number) => string;
}

export type PlannedSteps = { conversions: ConversionStep[] } | { why: ConversionReason | 'no_price' };

export function plannedSteps(schedule: Schedule, cash: CashSituation, priceOf: IndicativePrice): PlannedSteps {
  if (schedule.kind === 'fund_run') return stepsForRuns(schedule, cash, priceOf);
  const fixed = fixedAmountOf(schedule, cash);
  if (fixed === null) return { why: 'nothing_to_convert' };
  if (
    schedule.kind !== 'fixed_amount' &&
    schedule.least_order !== null &&
    new Big(fixed.amount).lt(schedule.least_order)
  ) {
    return { why: 'below_least_order' };
  }
  const { sell, buy } = schedule;
  const price = priceOf(sell, buy);
  if (price === null || new Big(price).lte(0)) return { why: 'no_price' };
  const sellAmount = fixed.side === 'sell' ? fixed.amount : quotient(fixed.amount, price, decimalsOf(cash, sell), 'up');
  const buyAmount =
    fixed.side === 'buy'
      ? fixed.amount
      : quotient(new Big(fixed.amount).times(price), 1, decimalsOf(cash, buy), 'down');
  if (new Big(sellAmount).gt(schedule.max_order)) return { why: 'order_too_large' };
  if (new Big(sellAmount).gt(cash.free(sell))) return { why: 'not_enough_money' };
  return { conversions: [{ sell, buy, sellAmount, buyAmount }] };
}

/** The amount that a schedule of one pair fixes today, and its side; null: there is nothing to convert. */
export function fixedAmountOf(
  schedule: Exclude<Schedule, { kind: 'fund_run' }>,
  cash: Pick<CashSituation, 'decimals' | 'free' | 'incoming'>,
): { side: 'sell' | 'buy'; amount: string } | null {
  const { sell, buy } = schedule;
  switch (schedule.kind) {
    case 'fixed_amount':
      return { side: schedule.fixed_side, amount: schedule.amount };
    case 'sweep': {
      const amount = sweepAmount({ free: cash.free(sell), floor: schedule.floor }, decimalsOf(cash, sell));
      return amount === null ? null : { side: 'sell', amount };
    }
    case 'top_up': {
      const position = { level: schedule.level, free: cash.free(buy), expected: cash.incoming(buy) };
      const amount = topUpAmount(position, decimalsOf(cash, buy));
      return amount === null ? null : { side: 'buy', amount };
    }
  }
}

function stepsForRuns(
  schedule: Extract<Schedule, { kind: 'fund_run' }>,
  cash: CashSituation,
  priceOf: IndicativePrice,
): PlannedSteps {
  const positions = [...cash.decimals].map(([currency, decimals]) => ({
    currency,
    decimals,
    planned: cash.plannedWithin(currency, schedule.horizon_days),
    floor: schedule.floors[currency] ?? '0',
    free: cash.free(currency),
    incoming: cash.incoming(currency),
  }));
  const sources = schedule.sources.map(({ currency, least_ticket: leastTicket, max_order: maxOrder }) => ({
    currency,
    leastTicket,
    maxOrder,
  }));
  const rules = { marginPercent: schedule.margin_percent, buy: schedule.buy, sources };
  const { orders, shortfalls } = planRunFunding(positions, rules, priceOf);
  if (orders.length === 0) return { why: shortfalls.length === 0 ? 'nothing_to_convert' : 'not_enough_money' };
  return {
    conversions: orders.map(({ sell, buy, buyAmount }) => ({
      sell,
      buy,
      buyAmount,
      sellAmount: quotient(buyAmount, priceOf(sell, buy) ?? '1', decimalsOf(cash, sell), 'up'),
    })),
  };
}

/** @throws RangeError for a currency that is not part of the view: its amounts could not be rounded */
function decimalsOf({ decimals }: Pick<CashSituation, 'decimals'>, currency: string): number {
  const known = decimals.get(currency);
  if (known === undefined) throw new RangeError(`the decimals of ${currency} are not known`);
  return known;
}
