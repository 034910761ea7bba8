import Big from 'big.js';
import { quotient, roundAmount } from '../rates/ratio.ts';

/** Which conversions provide the money for approved runs. Amounts are decimal strings. */

/** A currency as it is expected at the horizon. */
export interface CurrencyPosition {
  currency: string;
  decimals: number;
  /** Planned cost of approved rows that are due by the horizon and have no money reserved. */
  planned: string;
  floor: string;
  free: string;
  /** Bought amounts of funded conversions that are not yet credited. */
  incoming: string;
}

/**
 * planned · (1 + margin) + floor − free − incoming: what is missing, or, negative, what is not needed. Exact; `marginPercent`
 * 0.5 is half a percent.
 */
export function fundingGap(
  { planned, floor, free, incoming }: Omit<CurrencyPosition, 'currency' | 'decimals'>,
  marginPercent: string,
): string {
  const needed = new Big(planned).times(new Big(100).plus(marginPercent)).times('0.01').plus(floor);
  return needed.minus(free).minus(incoming).toFixed();
}

/** A currency that may be sold. Less than the minimum order is not worth an order. */
export interface FundingSource {
  currency: string;
  minOrder: string;
  maxOrder: string;
}

export interface FundingOrder {
  sell: string;
  buy: string;
  /** Fixed. */
  buyAmount: string;
  /** At the indicative price with the margin. */
  sellEstimate: string;
  /** The most that may be sold: all orders of a source together leave what it needs itself. */
  cap: string;
}

export interface FundingPlan {
  orders: FundingOrder[];
  /** What no source covers. */
  shortfalls: { currency: string; amount: string }[];
}

export interface FundingRules {
  marginPercent: string;
  /** The currencies that may be bought, in the order of their needs. */
  buy: readonly string[];
  /** In the order in which they are sold. */
  sources: readonly FundingSource[];
}

/** Indicative, in units bought per unit sold; null: there is none, so the pair is not used. */
export type IndicativePrice = (sell: string, buy: string) => string | null;

/**
 * For each currency that lacks money: orders that buy it from the sources in their order, each as far as its surplus goes.
 * Of an order, at most one for each pair is open, so a plan is made again when they have ended.
 */
export function planRunFunding(
  positions: readonly CurrencyPosition[],
  rules: FundingRules,
  priceOf: IndicativePrice,
): FundingPlan {
  const byCurrency = new Map(positions.map((position) => [position.currency, position]));
  const surplus = surplusesOf(byCurrency, rules);
  const orders: ReservedOrder[] = [];
  const shortfalls: FundingPlan['shortfalls'] = [];
  for (const buy of rules.buy) {
    const position = byCurrency.get(buy);
    if (position === undefined) continue;
    const gap = new Big(fundingGap(position, rules.marginPercent));
    if (gap.lte(0)) continue;
    let missing = new Big(roundAmount(gap, position.decimals, 'up'));
    for (const source of rules.sources) {
      if (missing.lte(0)) break;
      const left = surplus.get(source.currency) ?? new Big(0);
      const order = orderFrom(source, { buy, missing, left }, { byCurrency, rules, priceOf });
      if (order === null) continue;
      orders.push(order);
      missing = missing.minus(order.buyAmount);
      // guard: run-funding-leaves-floor
      surplus.set(source.currency, left.minus(order.sellEstimate));
    }
    if (missing.gt(0)) shortfalls.push({ currency: buy, amount: missing.toFixed(position.decimals) });
  }
  return { orders: withCaps(orders, surplus, byCurrency), shortfalls };
}

/** What to ask quotes for, so that the plan has prices: each currency that lacks money, for each source that can spare some. */
export function fundingQuotes(
  positions: readonly CurrencyPosition[],
  rules: FundingRules,
): { sell: string; buy: string; buyAmount: string }[] {
  const byCurrency = new Map(positions.map((position) => [position.currency, position]));
  const surplus = surplusesOf(byCurrency, rules);
  return rules.buy.flatMap((buy) => {
    const position = byCurrency.get(buy);
    const gap = position === undefined ? new Big(0) : new Big(fundingGap(position, rules.marginPercent));
    if (position === undefined || gap.lte(0)) return [];
    const buyAmount = roundAmount(gap, position.decimals, 'up');
    return rules.sources
      .filter(({ currency, minOrder }) => currency !== buy && (surplus.get(currency) ?? new Big(0)).gte(minOrder))
      .map(({ currency: sell }) => ({ sell, buy, buyAmount }));
  });
}

type Positions = ReadonlyMap<string, CurrencyPosition>;
type ReservedOrder = Omit<FundingOrder, 'cap'> & { maxOrder: string };

/** What each source can spare, rounded down. */
function surplusesOf(positions: Positions, { sources, marginPercent }: FundingRules): Map<string, Big> {
  return new Map(
    sources.flatMap(({ currency }) => {
      const position = positions.get(currency);
      if (position === undefined) return [];
      const spare = new Big(fundingGap(position, marginPercent)).times(-1);
      return spare.gt(0) ? [[currency, new Big(roundAmount(spare, position.decimals, 'down'))] as const] : [];
    }),
  );
}

function orderFrom(
  { currency: sell, minOrder, maxOrder }: FundingSource,
  { buy, missing, left }: { buy: string; missing: Big; left: Big },
  { byCurrency, rules, priceOf }: { byCurrency: Positions; rules: FundingRules; priceOf: IndicativePrice },
): ReservedOrder | null {
  if (sell === buy || left.lte(0) || left.lt(minOrder)) return null;
  const [sold, bought] = [byCurrency.get(sell), byCurrency.get(buy)];
  const price = priceOf(sell, buy);
  if (sold === undefined || bought === undefined || price === null || new Big(price).lte(0)) return null;
  const most = roundAmount(maxOrder, sold.decimals, 'down');
  const available = left.gt(most) ? new Big(most) : left;
  const margin = new Big(100).plus(rules.marginPercent);
  const affordable = new Big(quotient(available.times(price).times(100), margin, bought.decimals, 'down'));
  const amount = affordable.lt(missing) ? affordable : missing;
  if (amount.lte(0)) return null;
  const estimate = new Big(quotient(amount.times(margin), new Big(price).times(100), sold.decimals, 'up'));
  const sellEstimate = estimate.gt(available) ? available : estimate;
  return {
    sell,
    buy,
    buyAmount: amount.toFixed(bought.decimals),
    sellEstimate: sellEstimate.toFixed(sold.decimals),
    maxOrder: most,
  };
}

/** What a source has left is divided among its orders, so that a worse price or a fee does not stop them. */
function withCaps(
  orders: readonly ReservedOrder[],
  left: ReadonlyMap<string, Big>,
  positions: Positions,
): FundingOrder[] {
  return orders.map(({ maxOrder, ...order }) => {
    const decimals = positions.get(order.sell)?.decimals ?? 0;
    const sharing = orders.filter(({ sell }) => sell === order.sell).length;
    const share = quotient(left.get(order.sell) ?? 0, sharing, decimals, 'down');
    const cap = new Big(order.sellEstimate).plus(share);
    return { ...order, cap: (cap.gt(maxOrder) ? new Big(maxOrder) : cap).toFixed(decimals) };
  });
}
