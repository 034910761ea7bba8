/** Check digits of account numbers, so that a typing mistake is found before the payment is sent. */

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

function weightedSum(digits: string, weights: readonly number[]): number {
  return Array.from(digits).reduce(
    (sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0),
    0,
  );
}
