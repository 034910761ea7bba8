import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';

/** The worst price at which to convert, with the fees: in the direction in which people think of the pair. */
export type LimitPrice =
  /** Units bought per unit that leaves the balance. */
  | { buyPerSellAtLeast: string }
  /** Units that leave the balance per unit bought. */
  | { sellPerBuyAtMost: string };

/** What an order may do. An approval binds all of it, and no quote. Amounts are decimal strings. */
export interface ConversionOrder {
  orderId: string;
  account: string;
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
  /** Of the fixed side. A sweep may convert less, to leave its floor. */
  amount: string;
  limitPrice: LimitPrice | null;
  /** Against the reference price, in basis points. */
  maxCostBps: string | null;
  /** The most that may leave the balance, with the fees, in the sell currency; null: no cap of its own. */
  cap: string | null;
  /** ISO 8601, UTC: nothing is created after it. */
  expiresAt: string;
}

/** What an approval is bound to: SHA-256 over all of the order. */
export function conversionOrderHash(order: ConversionOrder): string {
  return contentSha256(canonicalJson(order));
}

/** A pair in either direction: an account has one open order for it. */
export function unorderedPair({ sellCurrency, buyCurrency }: { sellCurrency: string; buyCurrency: string }): string {
  return [sellCurrency, buyCurrency].sort().join('/');
}
