/**
 * Check digits of bank codes. Each function takes a code in capitals without spaces and returns whether its check digits
 * are valid; patterns check the format.
 */

/** ISO 13616: with country and check digits moved to the end and letters as numbers, the number modulo 97 is 1. */
export function isIbanValid(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** US routing number: the sum of the digits with weights 3, 7, 1 is a multiple of ten. */
export const isAbaValid = (aba: string): boolean => weighted(aba, [3, 7, 1], (product) => product) % 10 === 0;

/** Mexican CLABE: the last digit complements the sum of the others with weights 3, 7, 1, each product modulo ten. */
export function isClabeValid(clabe: string): boolean {
  const sum = weighted(clabe.slice(0, 17), [3, 7, 1], (product) => product % 10);
  return clabe.length === 18 && (10 - (sum % 10)) % 10 === Number(clabe[17]);
}

function weighted(digits: string, weights: readonly number[], take: (product: number) => number): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    sum += take(Number(digits[index]) * (weights[index % weights.length] ?? 1));
  }
  return sum;
}
