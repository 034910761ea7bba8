import Big from 'big.js';
import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { quotient } from '../rates/ratio.ts';

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

/** Fees beyond a twentieth of what is sold were meant by nobody who approved an order without a cap. */
const MOST_FEES = '1.05';

/**
 * The largest total that an approval of the order covers: its cap; else what its amount and its limit price come to. Null for
 * an order that fixes what is bought and has neither: nothing bounds what it sells.
 */
export function approvedTotal({ cap, fixedSide, amount, limitPrice }: ConversionOrder): string | null {
  if (cap !== null) return cap;
  if (fixedSide === 'sell') return new Big(amount).times(MOST_FEES).toFixed();
  if (limitPrice === null) return null;
  if ('sellPerBuyAtMost' in limitPrice) return new Big(amount).times(limitPrice.sellPerBuyAtMost).toFixed();
  return quotient(amount, limitPrice.buyPerSellAtLeast, MOST_DECIMALS, 'up');
}

const MOST_DECIMALS = 4;

/** A pair in either direction: an account has one open order for it. */
export function unorderedPair({ sellCurrency, buyCurrency }: { sellCurrency: string; buyCurrency: string }): string {
  return [sellCurrency, buyCurrency].sort().join('/');
}

/**
 * Whether the order may begin without an approval: what it sells is at most `approvalAbove`. Of an order that fixes what is
 * bought only a quote shows that. Null: every order needs one.
 */
export function isWithinApproval({ fixedSide, amount }: ConversionOrder, approvalAbove: string | null): boolean {
  return approvalAbove !== null && (fixedSide === 'buy' || new Big(amount).lte(approvalAbove));
}
