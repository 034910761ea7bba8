import Big from 'big.js';
import type { ConversionAmounts } from './conversion-price.ts';

/** Checks of what the provider quotes and creates. Contract: payments 2.3, 2.4. */

export interface QuoteRequest {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: 'sell' | 'buy';
  /** Of the fixed side. */
  amount: string;
}

/** A field that the provider left out is null. */
export interface QuotedConversion extends ConversionAmounts {
  sellCurrency: string;
  buyCurrency: string;
  fixedSide: string | null;
  totalFees: string | null;
}

/** What the provider shows of a created conversion. */
export type ShownConversion = { [Field in keyof QuotedConversion]: string | null } & { referenceId: string | null };

/** The fields in which a quote is not for what was asked. */
export function quoteDifferences(request: QuoteRequest, quote: QuotedConversion): string[] {
  const side = request.fixedSide === 'sell' ? 'sellAmount' : 'buyAmount';
  return [
    ...(quote.sellCurrency === request.sellCurrency ? [] : ['sellCurrency']),
    ...(quote.buyCurrency === request.buyCurrency ? [] : ['buyCurrency']),
    ...(quote.fixedSide === null || quote.fixedSide === request.fixedSide ? [] : ['fixedSide']),
    ...(new Big(quote[side]).eq(request.amount) ? [] : [side]),
    ...AMOUNTS.filter((field) => field !== side && new Big(quote[field]).lte(0)),
  ];
}

const AMOUNTS = ['sellAmount', 'buyAmount', 'totalAmount'] as const;

/**
 * The fields in which a created conversion is not the quoted one. Any of them: nothing is funded. All amounts must be
 * shown and equal, as they are what the approval and the guards have seen; names that are left out do not count. The answer to
 * our own create request may leave the reference out; any other conversion has to show it.
 */
export function conversionDifferences(
  { quote, referenceId }: { quote: QuotedConversion; referenceId: string },
  shown: ShownConversion,
  isOurAnswer: boolean,
): string[] {
  const amounts = AMOUNTS.filter((field) => {
    const amount = shown[field];
    // guard: conversion-as-quoted
    return amount === null || !new Big(amount).eq(quote[field]);
  });
  const isOther = (field: 'sellCurrency' | 'buyCurrency' | 'fixedSide'): boolean =>
    shown[field] !== null && quote[field] !== null && shown[field] !== quote[field];
  return [
    ...amounts,
    ...(['sellCurrency', 'buyCurrency', 'fixedSide'] as const).filter(isOther),
    ...((isOurAnswer && shown.referenceId === null) || shown.referenceId === referenceId ? [] : ['referenceId']),
  ];
}

export type FeeForm = 'added' | 'included';

/**
 * How the total contains the fees: it is sellAmount + totalFees, or sellAmount. The contract does not say which (2.3). Null:
 * neither, so the fees are not understood. Without fees both are the same, and called `included`.
 */
export function feeForm({ sellAmount, totalFees, totalAmount }: QuotedConversion): FeeForm | null {
  if (totalFees !== null && new Big(totalFees).lt(0)) return null;
  if (new Big(totalAmount).eq(sellAmount)) return 'included';
  // guard: conversion-fees-understood
  return totalFees !== null && new Big(sellAmount).plus(totalFees).eq(totalAmount) ? 'added' : null;
}

/** Quotes of conversions carry no expiry time, so they are used at once. */
const MAX_QUOTE_AGE_MS = 10_000;

/** Whether a conversion may still be created with the quote. A time in the future is that of a clock that was changed. */
export function isQuoteFresh(quotedAtMs: number, nowMs: number): boolean {
  const ageMs = nowMs - quotedAtMs;
  return ageMs >= 0 && ageMs <= MAX_QUOTE_AGE_MS;
}
