import Big from 'big.js';
import { addDays } from '../../domain/calendar-date.ts';
import type { DatedAmount } from '../../domain/treasury/cash-view.ts';
import { type QuotedPair, quotedPrices } from '../../domain/treasury/indicative-prices.ts';
import { usualCompletionMs } from '../../domain/treasury/lead-time.ts';
import { freeBeside, moneyOfPlaced } from '../../domain/treasury/placed-orders.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import type { CashSituation } from '../../domain/treasury/planned-conversions.ts';
import { unreservedCosts } from '../../domain/treasury/planned-costs.ts';
import type { IndicativePrice } from '../../domain/treasury/run-funding.ts';
import { readTimeZone } from '../approvals/local-days.ts';
import type { Queryable } from '../database/database.ts';
import {
  type FreeMoney,
  readCompletionTimes,
  readFreeMoney,
  readIncoming,
  readQuotedPairs,
  readRunCosts,
} from './cash.ts';
import { readPlacedOrders } from './placed-orders.ts';

const DAY_MS = 86_400_000;

/** The money of an account at one moment, and what approved runs will cost. */
export interface Cash {
  free: FreeMoney[];
  plannedCosts: DatedAmount[];
  unknownCosts: { currency: string; rows: number }[];
  /** Bought money, on the days on which it is usually there. */
  incoming: DatedAmount[];
  /** After how many days bought money is usually credited. */
  creditDays: number;
  priceOf: IndicativePrice;
  /** The same as a schedule sees it: with what orders take and bring that are placed, and of which the ledger knows nothing yet. */
  situation: CashSituation;
}

/** `today`: YYYY-MM-DD; `decimals`: of the provider's list; `quotes`: newer ones than those in the database. */
export async function readCash(
  database: Queryable,
  {
    account,
    today,
    decimals,
    quotes = [],
  }: { account: string; today: string; decimals: ReadonlyMap<string, number>; quotes?: readonly QuotedPair[] },
): Promise<Cash> {
  const free = await readFreeMoney(database, account);
  const { costs, reserved, unknown: unknownCosts } = await readRunCosts(database, account, today);
  const creditDays = Math.ceil(usualCompletionMs(await readCompletionTimes(database, account)) / DAY_MS);
  const bought = await readIncoming(database, account);
  const zone = await readTimeZone(database, account);
  const plannedCosts = unreservedCosts(costs, reserved);
  const priceOf = quotedPrices([...quotes, ...(await readQuotedPairs(database, account))]);
  const placed = (await readPlacedOrders(database, account)).map((order) => ({
    ...order,
    ...moneyOfPlaced(order, priceOf, decimals.get(order.sell) ?? 0),
  }));
  const sold = placed.map((order) => ({ currency: order.sell, amount: order.sold }));
  const ordered = placed.map((order) => ({ currency: order.buy, amount: order.bought }));
  const sumOf = (amounts: readonly { currency: string; amount: string }[], currency: string): string =>
    amounts
      .filter((one) => one.currency === currency)
      .reduce((sum, { amount }) => sum.plus(amount), new Big(0))
      .toFixed();
  return {
    ...{ free, plannedCosts, unknownCosts, creditDays },
    incoming: bought
      .filter(({ isExpected }) => isExpected)
      .map(({ currency, amount, sinceMs }) => {
        const usual = addDays(localTimeOf(sinceMs, zone).date, creditDays);
        // What is late is expected tomorrow.
        return { currency, amount, on: usual > today ? usual : addDays(today, 1) };
      }),
    priceOf,
    situation: {
      decimals,
      free: (currency) =>
        // guard: placed-orders-sell
        freeBeside(sumOf(sold, currency), free.find((one) => one.currency === currency)?.free ?? '0'),
      // guard: placed-orders-buy
      incoming: (currency) => sumOf([...bought, ...ordered], currency),
      plannedWithin: (currency, days) =>
        sumOf(
          plannedCosts.filter(({ on }) => on <= addDays(today, days)),
          currency,
        ),
    },
  };
}

/**
 * What the cash view of an account says: the first day (YYYY-MM-DD) that ends below zero, by currency. People are notified of what is
 * new, in the same transaction.
 */
export async function recordShortages(
  database: Queryable,
  account: string,
  firstDays: Readonly<Record<string, string>>,
): Promise<void> {
  await database.query('select record_shortages($1, $2)', [account, JSON.stringify(firstDays)]);
}
