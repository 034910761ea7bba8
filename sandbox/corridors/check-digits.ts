/**
 * Check digits of bank codes. Each takes the code as it is written, in capitals and without spaces, and says whether
 * its digits agree; the form is the pattern's affair.
 */

/** ISO 13616: the country and check digits moved to the end, letters as numbers, the whole modulo 97 is 1. */
export function ibanHolds(iban: string): boolean {
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    if (Number.isNaN(value)) return false;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** US routing number: the digits weighted 3, 7, 1 in turn add up to a multiple of ten. */
export const abaHolds = (aba: string): boolean => weighted(aba, [3, 7, 1], (product) => product) % 10 === 0;

/** Mexican CLABE: the last digit completes the others, weighted 3, 7, 1 in turn and each taken modulo ten. */
export function clabeHolds(clabe: string): boolean {
  const sum = weighted(clabe.slice(0, 17), [3, 7, 1], (product) => product % 10);
  return clabe.length === 18 && (10 - (sum % 10)) % 10 === Number(clabe[17]);
}

function weighted(digits: string, weights: readonly number[], take: (product: number) => number): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    sum += take(Number(digits[place]) * (weights[place % weights.length] ?? 1));
  }
  return sum;
}
