import Big from 'big.js';
import { quotient, type Ratio, ratioOf, ratioText } from './ratio.ts';

/** What an exchange has cost. Amounts are decimal strings. */

export interface Exchange {
  sellAmount: string;
  buyAmount: string;
  /** With the fees, in the sell currency. */
  totalAmount: string;
  /** In units bought for one sold; null: there is none to compare with. */
  reference: Ratio | null;
}

export interface ExchangeCosts {
  /** All in the sell currency. */
  total: string;
  fees: string;
  /** How much more was sold than at the reference price, without the fees; null: there is none to compare with. */
  exchange: string | null;
}

/** `decimals` are those of the sell currency. */
export function exchangeCosts(
  { sellAmount, buyAmount, totalAmount, reference }: Exchange,
  decimals: number,
): ExchangeCosts {
  const fees = new Big(totalAmount).minus(sellAmount);
  const atReference =
    reference === null
      ? null
      : quotient(new Big(buyAmount).times(reference.denominator), reference.numerator, decimals, 'half_up');
  return {
    total: new Big(totalAmount).toFixed(decimals),
    fees: fees.toFixed(decimals),
    exchange: atReference === null ? null : new Big(sellAmount).minus(atReference).toFixed(decimals),
  };
}

/** Fees and exchange together as a part of what left the balance, in basis points; null: nothing left it. */
export function costShare({ total, fees, exchange }: { total: string; fees: string; exchange: string }): string | null {
  if (new Big(total).lte(0)) return null;
  const costs = new Big(fees).plus(exchange);
  const share = ratioText(ratioOf(costs.abs().times(10_000), total), 2);
  return costs.lt(0) && Number(share) !== 0 ? `-${share}` : share;
}
