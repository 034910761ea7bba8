import Big from 'big.js';
import { quotient, roundAmount } from '../rates/ratio.ts';

/** How much to convert. Amounts are decimal strings; results have the decimals of their currency. */

/** How much to buy so that free and expected money reach the level; null: nothing. */
export function topUpAmount(
  { level, free, expected }: { level: string; free: string; expected: string },
  decimals: number,
): string | null {
  const missing = new Big(level).minus(free).minus(expected);
  return missing.gt(0) ? roundAmount(missing, decimals, 'up') : null;
}

/** How much to sell so that the floor stays; null: nothing. */
export function sweepAmount({ free, floor }: { free: string; floor: string }, decimals: number): string | null {
  const surplus = new Big(free).minus(floor);
  if (surplus.lte(0)) return null;
  const amount = roundAmount(surplus, decimals, 'down');
  return new Big(amount).gt(0) ? amount : null;
}

/** A quote costs a request, and each of these comes nearer than the one before. */
export const MAX_SWEEP_QUOTES = 3;

export type SweepQuote =
  /** The total is within the surplus. */
  | { kind: 'fits' }
  /** The fees come on top: ask for a quote of this smaller amount. */
  | { kind: 'ask_again'; amount: string }
  /** The quotes do not come within the surplus, or it is too small for the fees. */
  | { kind: 'does_not_fit' };

/**
 * Whether a quote for a sweep leaves the floor. `surplus` is what `sweepAmount` gave, `asked` the sell amount of this quote
 * and `quotes` how many there were with it. The next amount is asked · surplus / total, rounded down: after the first quote,
 * which asks for the surplus, that is surplus² / total.
 */
export function sweepQuote(
  { surplus, asked, total, quotes }: { surplus: string; asked: string; total: string; quotes: number },
  decimals: number,
): SweepQuote {
  // guard: sweep-leaves-floor
  if (new Big(total).lte(surplus)) return { kind: 'fits' };
  if (quotes >= MAX_SWEEP_QUOTES) return { kind: 'does_not_fit' };
  const amount = quotient(new Big(asked).times(surplus), total, decimals, 'down');
  return new Big(amount).gt(0) ? { kind: 'ask_again', amount } : { kind: 'does_not_fit' };
}
