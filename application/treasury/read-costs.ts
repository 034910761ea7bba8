import type { CostGroup, CostQuery, CostReport } from '../../api/treasury/costs.ts';
import { addAmounts } from '../../domain/money.ts';
import { referencePrice } from '../../domain/treasury/conversion-price.ts';
import { costShare, exchangeCosts } from '../../domain/rates/exchange-costs.ts';
import { type Ratio, ratioOf } from '../../domain/rates/ratio.ts';
import { newestReference, type ReferenceRates } from '../../domain/rates/reference-rates.ts';
import { listReferenceRates } from '../../store/rates/reference-rates.ts';
import { type FundedExchange, listFundedExchanges, listFundedOfRun } from '../../store/treasury/costs.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/**
 * What payments and conversions that were funded in a time have cost: fees, and how much more was sold than at the reference
 * rate of the day. Conversions are compared with what their quotes were compared with.
 */
export async function readCosts(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { from, to, by, account }: CostQuery,
): Promise<CostReport> {
  const rates = await listReferenceRates(database, from, to);
  const funded = await listFundedExchanges(database, { accounts: accountsOf(user, account), from, to });
  return { from, to, groups: groupsOf(funded, by, rates) };
}

/** What the payments of a run have cost until now; null: none was funded yet. */
export async function readRunCosts({ database }: ApplicationDependencies, runId: string): Promise<CostReport | null> {
  const funded = await listFundedOfRun(database, runId);
  const [from, to] = [funded[0]?.day, funded.at(-1)?.day];
  if (from === undefined || to === undefined) return null;
  const rates = await listReferenceRates(database, from, to);
  return { from, to, groups: groupsOf(funded, 'run', rates) };
}

function groupsOf(
  exchanges: readonly FundedExchange[],
  by: CostQuery['by'],
  rates: readonly ReferenceRates[],
): CostGroup[] {
  const groups = new Map<string, Sums>();
  for (const funded of exchanges) {
    const runId = by === 'run' ? funded.runId : null;
    const key = JSON.stringify([funded.of, runId, funded.sellCurrency]);
    const sums = groups.get(key) ?? newSums(funded, runId);
    groups.set(key, added(sums, funded, referenceOf(funded, rates)));
  }
  return [...groups.values()].map(groupOf);
}

interface Sums {
  of: CostGroup['of'];
  runId: string | null;
  fileName: string | null;
  currency: string;
  count: number;
  total: string;
  fees: string;
  withoutReference: number;
  /** Of those with a reference rate. */
  compared: { total: string; fees: string; exchange: string };
}

function newSums({ of, fileName, sellCurrency }: FundedExchange, runId: string | null): Sums {
  return {
    ...{ of, runId, fileName: runId === null ? null : fileName, currency: sellCurrency },
    ...{ count: 0, total: '0', fees: '0', withoutReference: 0 },
    compared: { total: '0', fees: '0', exchange: '0' },
  };
}

function added(sums: Sums, funded: FundedExchange, reference: Ratio | null): Sums {
  const { total, fees, exchange } = exchangeCosts({ ...funded, reference }, decimalsOf(funded.totalAmount));
  const { compared } = sums;
  return {
    ...sums,
    count: sums.count + funded.count,
    total: addAmounts(sums.total, total),
    fees: addAmounts(sums.fees, fees),
    withoutReference: sums.withoutReference + (exchange === null ? funded.count : 0),
    compared:
      exchange === null
        ? compared
        : {
            total: addAmounts(compared.total, total),
            fees: addAmounts(compared.fees, fees),
            exchange: addAmounts(compared.exchange, exchange),
          },
  };
}

function groupOf({ compared, ...sums }: Sums): CostGroup {
  return { ...sums, exchangeCost: compared.exchange, costBps: costShare(compared) };
}

function referenceOf(funded: FundedExchange, rates: readonly ReferenceRates[]): Ratio | null {
  const { sellCurrency: sell, buyCurrency: buy, day, reference } = funded;
  if (sell === buy) return ratioOf(1, 1);
  if (reference !== null && reference.middle !== null) {
    const middle = ratioOf(reference.middle.numerator, reference.middle.denominator);
    return referencePrice(funded, middle, reference.isPrice ? 'direct' : null).price;
  }
  return newestReference(rates, { sell, buy }, day)?.middle ?? null;
}

function decimalsOf(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}
