import Big from 'big.js';
import { quotient } from '../rates/ratio.ts';
import type { IndicativePrice } from './run-funding.ts';

/** An order of which the provider has nothing yet, so that the ledger knows nothing of its money. Amounts are decimal strings. */
export interface PlacedOrder {
  sell: string;
  buy: string;
  fixedSide: 'sell' | 'buy';
  amount: string;
  /** The most that it may sell; null: it has no such limit. */
  cap: string | null;
  /** The totals of its quote; null: it has none that is in use. */
  quoted: { sold: string; bought: string } | null;
}

/**
 * What an order takes and brings once it is carried out. What it buys counts only if that is fixed or quoted; what it sells is
 * estimated at the indicative price, or its cap.
 */
export function moneyOfPlaced(
  { sell, buy, fixedSide, amount, cap, quoted }: PlacedOrder,
  priceOf: IndicativePrice,
  decimals: number,
): { sold: string; bought: string } {
  if (quoted !== null) return quoted;
  if (fixedSide === 'sell') return { sold: amount, bought: '0' };
  const price = priceOf(sell, buy);
  const estimate = price === null || new Big(price).lte(0) ? null : quotient(amount, price, decimals, 'up');
  if (estimate === null) return { sold: cap ?? '0', bought: amount };
  return { sold: cap !== null && new Big(estimate).gt(cap) ? cap : estimate, bought: amount };
}

/**
 * What is free beside what orders sell that are placed. They sell what is there: what an order lacks is its own shortage, of which it is
 * not carried out, and no need of a run or of a level.
 */
export function freeBeside(sold: string, free: string): string {
  const left = new Big(free).minus(sold);
  const least = new Big(free).lt(0) ? free : '0';
  // guard: placed-orders-lack
  return left.lt(least) ? least : left.toFixed();
}
