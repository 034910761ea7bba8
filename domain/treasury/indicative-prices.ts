import type { IndicativePrice } from './run-funding.ts';
import { quotient } from '../rates/ratio.ts';

/** What a quote gave for a pair, the newest first. Amounts are decimal strings. */
export interface QuotedPair {
  sell: string;
  buy: string;
  /** What left the balance, with the fees. */
  totalAmount: string;
  buyAmount: string;
}

const PRICE_DECIMALS = 12;

/**
 * Prices by the newest quotes: of the pair itself, or else the inverse of the other direction, which is a little too good
 * as it has the provider's margin on the other side. Null: nothing of the pair was quoted lately.
 */
export function quotedPrices(quotes: readonly QuotedPair[]): IndicativePrice {
  return (sell, buy) => {
    const same = quotes.find((quote) => quote.sell === sell && quote.buy === buy);
    if (same !== undefined) return quotient(same.buyAmount, same.totalAmount, PRICE_DECIMALS, 'down');
    const other = quotes.find((quote) => quote.sell === buy && quote.buy === sell);
    return other === undefined ? null : quotient(other.totalAmount, other.buyAmount, PRICE_DECIMALS, 'down');
  };
}
