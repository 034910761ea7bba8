/** Exact arithmetic with amounts as they come, as decimal strings: a JavaScript number would round them. */

const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

/**
 * `one` less `other`, with the decimals of whichever has more: `1003.5` less `1002.50` is `1.00`. Null where one of them is not a
 * plain decimal.
 */
export function differenceOf(one: string, other: string): string | null {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  const [from, taken] = [unitsOf(one, decimals), unitsOf(other, decimals)];
  if (from === null || taken === null) return null;
  return amountOf(from - taken, decimals);
}

/** With the decimals of whichever has most; `0` of none. Null where one of them is not a plain decimal. */
export function sumOf(amounts: readonly string[]): string | null {
  const decimals = Math.max(0, ...amounts.map(decimalsOf));
  let sum = 0n;
  for (const amount of amounts) {
    const units = unitsOf(amount, decimals);
    if (units === null) return null;
    sum += units;
  }
  return amountOf(sum, decimals);
}

/** With the decimals that it has, and zeros up to so many: `-30` with 2 is `-30.00`. Null where it is not a plain decimal. */
export function withDecimals(amount: string, least: number): string | null {
  const decimals = Math.max(least, decimalsOf(amount));
  const units = unitsOf(amount, decimals);
  return units === null ? null : amountOf(units, decimals);
}

export function isZero(amount: string): boolean {
  return unitsOf(amount, decimalsOf(amount)) === 0n;
}

function amountOf(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - decimals)}`;
  return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
}

function decimalsOf(amount: string): number {
  return DECIMAL.exec(amount)?.[2]?.length ?? 0;
}

/** The amount in its smallest units, of which `decimals` digits are behind the point. */
function unitsOf(amount: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = DECIMAL.exec(amount) ?? [];
  return whole === undefined ? null : BigInt(`${whole}${fraction.padEnd(decimals, '0')}`);
}
