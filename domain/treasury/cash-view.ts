import Big from 'big.js';
import { addDays } from '../calendar-date.ts';
import type { ConversionReason } from './conversion-reason-codes.ts';
import { type ConversionStep, plannedSteps } from './planned-conversions.ts';
import type { IndicativePrice } from './run-funding.ts';
import type { Schedule } from './schedule.ts';

/** What the free money of each currency will be, day by day. Amounts are decimal strings, dates YYYY-MM-DD. */
export interface CashViewInput {
  /** The first day. */
  from: string;
  days: number;
  /** Free money on the first morning, without what is reserved for runs, payments and conversions. */
  currencies: readonly { currency: string; decimals: number; free: string }[];
  /** Of approved rows that have no money reserved. What is overdue counts on the first day. */
  plannedCosts: readonly DatedAmount[];
  /** Money that is expected; what was expected before the first day and did not come is not counted. */
  moneyIn: readonly DatedAmount[];
  /** Occurrences of schedules, in the order of their times. */
  occurrences: readonly { on: string; schedule: Schedule }[];
  priceOf: IndicativePrice;
  /** After how many days bought money is credited. */
  creditDays: number;
}

export interface DatedAmount {
  currency: string;
  amount: string;
  on: string;
}

export interface CashView {
  dates: string[];
  currencies: {
    currency: string;
    /** At the end of each day. */
    balances: string[];
    /** What planned costs take on each day. */
    needed: string[];
    /** The first day that ends below zero; null: none. */
    firstShortage: string | null;
  }[];
  /** Occurrences that would convert nothing, and why. */
  withoutConversion: { on: string; schedule: string; why: ConversionReason | 'no_price' }[];
}

export const CASH_VIEW_DAYS = 30;

/**
 * Each day: money comes in, planned costs go out, then the schedules act on what is left, as they would. Prices are indicative
 * and without fees, so it is a forecast and no promise.
 */
export function cashView(input: CashViewInput): CashView {
  const dates = Array.from({ length: input.days }, (_, day) => addDays(input.from, day));
  const state: Cash = {
    free: new Map(input.currencies.map(({ currency, free }) => [currency, new Big(free)])),
    credits: [],
  };
  const ends: Big[][] = [];
  const withoutConversion: CashView['withoutConversion'] = [];
  for (const date of dates) {
    for (const { currency, amount, on } of [...input.moneyIn, ...state.credits]) {
      if (on === date) move(state, currency, amount);
    }
    for (const cost of input.plannedCosts) {
      if (dayOfCost(cost, input.from) === date) move(state, cost.currency, new Big(cost.amount).times(-1));
    }
    for (const { schedule } of input.occurrences.filter(({ on }) => on === date)) {
      const steps = plannedSteps(schedule, situation(input, state, date), input.priceOf);
      if ('why' in steps) withoutConversion.push({ on: date, schedule: schedule.name, why: steps.why });
      else convert(state, steps.conversions, addDays(date, input.creditDays), date);
    }
    ends.push(input.currencies.map(({ currency }) => state.free.get(currency) ?? new Big(0)));
  }
  return {
    dates,
    currencies: input.currencies.map(({ currency, decimals }, index) => {
      const balances = ends.map((day) => day[index] ?? new Big(0));
      const short = balances.findIndex((balance) => balance.lt(0));
      return {
        currency,
        balances: balances.map((balance) => balance.toFixed(decimals)),
        needed: dates.map((date) => costOn(input, currency, date).toFixed(decimals)),
        firstShortage: dates[short] ?? null,
      };
    }),
    withoutConversion,
  };
}

interface Cash {
  free: Map<string, Big>;
  /** Of conversions, on their days. */
  credits: DatedAmount[];
}

function move({ free }: Cash, currency: string, amount: Big.BigSource): void {
  free.set(currency, (free.get(currency) ?? new Big(0)).plus(amount));
}

function convert(state: Cash, conversions: readonly ConversionStep[], creditOn: string, today: string): void {
  for (const { sell, buy, sellAmount, buyAmount } of conversions) {
    move(state, sell, new Big(sellAmount).times(-1));
    if (creditOn === today) move(state, buy, buyAmount);
    else state.credits.push({ currency: buy, amount: buyAmount, on: creditOn });
  }
}

function costOn({ plannedCosts, from }: CashViewInput, currency: string, date: string): Big {
  return plannedCosts
    .filter((cost) => cost.currency === currency && dayOfCost(cost, from) === date)
    .reduce((sum, { amount }) => sum.plus(amount), new Big(0));
}

function dayOfCost({ on }: DatedAmount, from: string): string {
  return on < from ? from : on;
}

/** What a schedule sees on that day. */
function situation(input: CashViewInput, state: Cash, today: string): Parameters<typeof plannedSteps>[1] {
  const sumOf = (amounts: readonly DatedAmount[], currency: string, isCounted: (on: string) => boolean): string =>
    amounts
      .filter((amount) => amount.currency === currency && isCounted(amount.on))
      .reduce((sum, { amount }) => sum.plus(amount), new Big(0))
      .toFixed();
  return {
    decimals: new Map(input.currencies.map(({ currency, decimals }) => [currency, decimals])),
    free: (currency) => (state.free.get(currency) ?? new Big(0)).toFixed(),
    incoming: (currency) => sumOf(state.credits, currency, (on) => on > today),
    plannedWithin: (currency, days) =>
      sumOf(input.plannedCosts, currency, (on) => on > today && on <= addDays(today, days)),
  };
}
