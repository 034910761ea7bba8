/** Check digits of account numbers, so that a typing mistake is found before the payment is sent. */

/**
 * ISO 13616: an IBAN in capitals without blanks, whose remainder modulo 97 is 1. Check digits are issued from 02 to 98;
 * 00, 01 and 99 have the same remainder as 97, 98 and 02, and are typing mistakes.
 */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(text)) return false;
  const checkDigits = Number(text.slice(2, 4));
  if (checkDigits < 2 || checkDigits > 98) return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** A routing number of the United States: nine digits, weighted 3, 7, 1. */
export function isAba(text: string): boolean {
  return /^\d{9}$/.test(text) && weightedSum(text, [3, 7, 1]) % 10 === 0;
}

/** A Mexican CLABE: eighteen digits; only the last digit of each product is added. */
export function isClabe(text: string): boolean {
  if (!/^\d{18}$/.test(text)) return false;
  const weights = [3, 7, 1];
  const sum = Array.from(text.slice(0, 17)).reduce(
    (total, digit, index) => total + ((Number(digit) * (weights[index % 3] ?? 0)) % 10),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text[17]);
}

/** ISO 9362: bank, country, location and an optional branch. */
export function isBic(text: string): boolean {
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text);
}

function weightedSum(digits: string, weights: readonly number[]): number {
  return Array.from(digits).reduce(
    (sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0),
    0,
  );
}
