import Big from 'big.js';
import { compareRatios, inverseOf, type Ratio, ratioOf, ratioText } from '../rates/ratio.ts';

/**
 * What a conversion costs. A price is in units bought per unit sold. The provider's `rate` is shown to people and never
 * computed with: the contract does not say in which direction it is (payments 2.2 and 2.3).
 */

/** The amounts of a quote or a conversion, as decimal strings. */
export interface ConversionAmounts {
  buyAmount: string;
  sellAmount: string;
  /** What leaves the balance, in the sell currency. */
  totalAmount: string;
}

/** With the fees, since they are in the total. */
export function priceOf({ buyAmount, totalAmount }: ConversionAmounts): Ratio {
  return ratioOf(buyAmount, totalAmount);
}

/** `direct`: the published rate is in units bought per unit sold; `inverse`: in units sold per unit bought. */
export type RateDirection = 'direct' | 'inverse';

/** The middle between bid and ask, in the direction of the provider; null if they are not positive. */
export function middleOf({ bid, ask }: { bid: string; ask: string }): Ratio | null {
  return new Big(bid).gt(0) && new Big(ask).gt(0) ? ratioOf(new Big(bid).plus(ask), 2) : null;
}

/** A price is believed to be the reference of another one within this part of it: 1/20 is 5 %. */
const NEARNESS = 20;

export type ReferencePrice =
  | { price: Ratio; direction: RateDirection }
  | { price: null; code: 'reference_unclear'; says: string };

/**
 * The middle rate as a price, to compare the quote with. Without a configured direction it is the middle or its inverse,
 * whichever is within 5 % of buyAmount/sellAmount; if both or neither are, a person has to configure one. A configured
 * direction is used, unless the quote shows that it is wrong: a wrong one would make any price look like a good one.
 */
export function referencePrice(
  { buyAmount, sellAmount }: ConversionAmounts,
  middle: Ratio | null,
  configured: RateDirection | null,
): ReferencePrice {
  if (middle === null) return unclear('the rate has no positive bid and ask');
  if (new Big(buyAmount).lte(0) || new Big(sellAmount).lte(0)) return unclear('the quote has no positive amounts');
  const quoted = ratioOf(buyAmount, sellAmount);
  const prices = { direct: middle, inverse: inverseOf(middle) };
  const isNear = { direct: isWithin(prices.direct, quoted), inverse: isWithin(prices.inverse, quoted) };
  if (configured === null) {
    if (isNear.direct && isNear.inverse && compareRatios(prices.direct, prices.inverse) !== 0) {
      return unclear('the rate and its inverse are both within 5 % of the quote');
    }
    if (isNear.direct) return { price: prices.direct, direction: 'direct' };
    if (isNear.inverse) return { price: prices.inverse, direction: 'inverse' };
    return unclear('neither the rate nor its inverse is within 5 % of the quote');
  }
  const other = configured === 'direct' ? 'inverse' : 'direct';
  // guard: conversion-direction-checked
  if (!isNear[configured] && isNear[other]) {
    return unclear(`the direction of the pair is configured as ${configured}, and the quote fits the ${other} one`);
  }
  if (!isNear[configured] && compareRatios(quoted, prices[configured]) > 0) {
    return unclear('the quote is more than 5 % better than the rate, so the rate cannot be trusted');
  }
  return { price: prices[configured], direction: configured };
}

function unclear(says: string): ReferencePrice {
  return { price: null, code: 'reference_unclear', says };
}

/** |price − quoted| ≤ quoted / 20. */
function isWithin(price: Ratio, quoted: Ratio): boolean {
  const own = price.numerator.times(quoted.denominator);
  const other = quoted.numerator.times(price.denominator);
  return own.minus(other).abs().times(NEARNESS).lte(other);
}

const BASIS_POINTS = 10_000;

/** 10,000 · (1 − price/reference), exactly; negative if the price is better than the reference. */
export function costInBasisPoints(price: Ratio, reference: Ratio): Ratio {
  const whole = reference.numerator.times(price.denominator);
  const lost = whole.minus(price.numerator.times(reference.denominator));
  return ratioOf(lost.times(BASIS_POINTS), whole);
}

/** For people, with two decimals. */
export function basisPointsText(cost: Ratio): string {
  return ratioText(cost, 2);
}
