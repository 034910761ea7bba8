import Big from 'big.js';
import { addDays } from '../../domain/calendar-date.ts';
import type { DatedAmount } from '../../domain/treasury/cash-view.ts';
import { quotedPrices } from '../../domain/treasury/indicative-prices.ts';
import { unreservedCosts } from '../../domain/treasury/planned-costs.ts';
import type { CashSituation } from '../../domain/treasury/planned-conversions.ts';
import type { IndicativePrice } from '../../domain/treasury/run-funding.ts';
import { type FreeMoney, readFreeMoney, readQuotedPairs, readRunCosts } from '../../store/treasury/cash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { knownReferenceData } from '../payment-file/known-reference-data.ts';

/** The money of an account at this moment, and what approved runs will cost. */
export interface Cash {
  /** YYYY-MM-DD, UTC. */
  today: string;
  decimals: ReadonlyMap<string, number>;
  free: FreeMoney[];
  plannedCosts: DatedAmount[];
  unknownCosts: { currency: string; rows: number }[];
  priceOf: IndicativePrice;
  /** The same as a schedule sees it. */
  cash: CashSituation;
}

export async function readCash(dependencies: ApplicationDependencies, account: string): Promise<Cash> {
  const { database, now } = dependencies;
  const { currencies } = await knownReferenceData(dependencies, account, []);
  const today = new Date(now()).toISOString().slice(0, 10);
  const free = await readFreeMoney(database, account);
  const { costs, reserved, unknown: unknownCosts } = await readRunCosts(database, account, today);
  const priceOf = quotedPrices(await readQuotedPairs(database, account));
  const plannedCosts = unreservedCosts(costs, reserved);
  const decimals = new Map([...currencies].map(([code, { decimalPlaces }]) => [code, decimalPlaces]));
  return {
    ...{ today, decimals, free, plannedCosts, unknownCosts, priceOf },
    cash: {
      decimals,
      free: (currency) => free.find((one) => one.currency === currency)?.free ?? '0',
      incoming: () => '0',
      plannedWithin: (currency, days) =>
        plannedCosts
          .filter((cost) => cost.currency === currency && cost.on <= addDays(today, days))
          .reduce((sum, { amount }) => sum.plus(amount), new Big(0))
          .toFixed(),
    },
  };
}
