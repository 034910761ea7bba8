import Big from 'big.js';
import { sweepAmount, topUpAmount } from './conversion-amount.ts';
import type { ConversionReason } from './conversion-reason-codes.ts';
import { quotient } from '../rates/ratio.ts';
import {
  type CurrencyPosition,
  fundingGap,
  type FundingPlan,
  fundingQuotes,
  type FundingRules,
  type IndicativePrice,
  planRunFunding,
} from './run-funding.ts';
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
  if ('why' in fixed) return fixed;
  const { sell, buy } = schedule;
  const price = priceOf(sell, buy);
  if (price === null || new Big(price).lte(0)) return { why: 'no_price' };
  const { side, amount } = fixed;
  const sellAmount = side === 'sell' ? amount : quotient(amount, price, decimalsOf(cash, sell), 'up');
  const buyAmount = side === 'buy' ? amount : quotient(new Big(amount).times(price), 1, decimalsOf(cash, buy), 'down');
  if (new Big(sellAmount).gt(schedule.max_order)) return { why: 'order_too_large' };
  if (new Big(sellAmount).gt(cash.free(sell))) return { why: 'not_enough_money' };
  return { conversions: [{ sell, buy, sellAmount, buyAmount }] };
}

/** Why an occurrence has no order. */
export interface WithoutOrder {
  why: Extract<ConversionReason, 'nothing_to_convert' | 'below_minimum_order' | 'not_enough_money'>;
}

/** The amount that a schedule of one pair fixes today, and its side. */
export function fixedAmountOf(
  schedule: Exclude<Schedule, { kind: 'fund_run' }>,
  cash: CashSituation,
): { side: 'sell' | 'buy'; amount: string } | WithoutOrder {
  if (schedule.kind === 'fixed_amount') return { side: schedule.fixed_side, amount: schedule.amount };
  const { sell, buy, min_order: least } = schedule;
  const amount =
    schedule.kind === 'sweep'
      ? sweepAmount({ free: cash.free(sell), floor: schedule.floor }, decimalsOf(cash, sell))
      : topUpAmount(
          { level: schedule.level, free: cash.free(buy), expected: cash.incoming(buy) },
          decimalsOf(cash, buy),
        );
  if (amount === null) return { why: 'nothing_to_convert' };
  if (least !== null && new Big(amount).lt(least)) return { why: 'below_minimum_order' };
  return { side: schedule.kind === 'sweep' ? 'sell' : 'buy', amount };
}

/** The orders that fund the runs due within the horizon. */
export function runFundingOf(schedule: FundRun, cash: CashSituation, priceOf: IndicativePrice): FundingPlan {
  const { positions, rules } = runFundingInput(schedule, cash);
  return planRunFunding(positions, rules, priceOf);
}

/** Whether orders bring more of a currency than runs lack, with those that are placed. The last unit is bought whole. */
export function buysMoreThanNeeded(schedule: FundRun, cash: CashSituation, buy: string): boolean {
  const position = runFundingInput(schedule, cash).positions.find(({ currency }) => currency === buy);
  if (position === undefined) throw new RangeError(`the decimals of ${buy} are not known`);
  const lastUnit = new Big(10).pow(-position.decimals);
  return new Big(fundingGap(position, schedule.margin_percent)).plus(lastUnit).lte(0);
}

/** What to ask quotes for before they are planned. */
export function runFundingQuotes(schedule: FundRun, cash: CashSituation): ReturnType<typeof fundingQuotes> {
  const { positions, rules } = runFundingInput(schedule, cash);
  return fundingQuotes(positions, rules);
}

type FundRun = Extract<Schedule, { kind: 'fund_run' }>;

function runFundingInput(
  schedule: FundRun,
  cash: CashSituation,
): { positions: CurrencyPosition[]; rules: FundingRules } {
  const positions = [...cash.decimals].map(([currency, decimals]) => ({
    currency,
    decimals,
    planned: cash.plannedWithin(currency, schedule.horizon_days),
    floor: schedule.floors[currency] ?? '0',
    free: cash.free(currency),
    incoming: cash.incoming(currency),
  }));
  const sources = schedule.sources.map(({ currency, min_order: minOrder, max_order: maxOrder }) => ({
    currency,
    minOrder,
    maxOrder,
  }));
  return { positions, rules: { marginPercent: schedule.margin_percent, buy: schedule.buy, sources } };
}

/** Of a plan without orders. */
export function whyNoOrders({ shortfalls }: FundingPlan): WithoutOrder {
  return { why: shortfalls.length === 0 ? 'nothing_to_convert' : 'not_enough_money' };
}

function stepsForRuns(schedule: FundRun, cash: CashSituation, priceOf: IndicativePrice): PlannedSteps {
  const plan = runFundingOf(schedule, cash, priceOf);
  if (plan.orders.length === 0) return whyNoOrders(plan);
  return {
    conversions: plan.orders.map(({ sell, buy, buyAmount }) => ({
      sell,
      buy,
      buyAmount,
      sellAmount: quotient(buyAmount, priceOf(sell, buy) ?? '1', decimalsOf(cash, sell), 'up'),
    })),
  };
}

/** @throws RangeError for a currency that is not part of the view: its amounts could not be rounded */
function decimalsOf({ decimals }: CashSituation, currency: string): number {
  const known = decimals.get(currency);
  if (known === undefined) throw new RangeError(`the decimals of ${currency} are not known`);
  return known;
}
