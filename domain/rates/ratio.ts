import Big from 'big.js';

/**
 * An exact quotient. A price is kept as one and never divided out, so that a comparison with a limit cannot be decided by a
 * rounding. The denominator is positive.
 */
export interface Ratio {
  numerator: Big;
  denominator: Big;
}

/** @throws RangeError for a denominator that is not positive */
export function ratioOf(numerator: Big.BigSource, denominator: Big.BigSource): Ratio {
  const ratio = { numerator: new Big(numerator), denominator: new Big(denominator) };
  if (ratio.denominator.lte(0)) throw new RangeError('a ratio needs a positive denominator');
  return ratio;
}

/** -1, 0 or 1: `a` is less than, equal to or greater than `b`. */
export function compareRatios(a: Ratio, b: Ratio): -1 | 0 | 1 {
  return a.numerator.times(b.denominator).cmp(b.numerator.times(a.denominator));
}

/** 1/r. @throws RangeError for a ratio that is not positive */
export function inverseOf({ numerator, denominator }: Ratio): Ratio {
  return ratioOf(denominator, numerator);
}

const ROUNDINGS = { down: Big.roundDown, half_up: Big.roundHalfUp, up: Big.roundUp } as const;

/**
 * numerator / denominator with so many decimals; `down` is towards zero and `up` away from it. The remainder of the division
 * decides, not a quotient that was rounded before.
 */
export function quotient(
  numerator: Big.BigSource,
  denominator: Big.BigSource,
  decimals: number,
  rounding: keyof typeof ROUNDINGS,
): string {
  // A constructor of its own: the settings of big.js belong to the constructor, and the default one is everybody's.
  const Quotient = Big();
  Quotient.DP = decimals;
  Quotient.RM = ROUNDINGS[rounding];
  return new Quotient(numerator).div(denominator).toFixed(decimals);
}

/** For people: rounded half up. */
export function ratioText({ numerator, denominator }: Ratio, decimals: number): string {
  return quotient(numerator, denominator, decimals, 'half_up');
}

/** Rounded to the minor unit of a currency. */
export function roundAmount(amount: Big.BigSource, decimals: number, rounding: 'down' | 'up'): string {
  return new Big(amount).round(decimals, ROUNDINGS[rounding]).toFixed(decimals);
}
