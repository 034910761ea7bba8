/** Exact arithmetic with amounts as they come, as decimal strings: a JavaScript number would round them. */

const DECIMAL = /^(-?\d+)(?:\.(\d+))?$/;

/**
 * `one` less `other`, with the decimals of whichever has more: `1003.5` less `1002.50` is `1.00`. Null where one of them is not a
 * plain decimal.
 */
export function differenceOf(one: string, other: string): string | null {
  return combined(one, other, (from, taken) => from - taken);
}

/** `one` and `other` together, with the decimals of whichever has more. Null where one of them is not a plain decimal. */
export function sumOf(one: string, other: string): string | null {
  return combined(one, other, (first, second) => first + second);
}

function combined(one: string, other: string, combine: (one: bigint, other: bigint) => bigint): string | null {
  const decimals = Math.max(decimalsOf(one), decimalsOf(other));
  const [first, second] = [unitsOf(one, decimals), unitsOf(other, decimals)];
  if (first === null || second === null) return null;
  const units = combine(first, second);
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
