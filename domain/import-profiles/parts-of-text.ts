import { ibanLength, isBic, isIban } from '../payment-file/account-codes.ts';

/** A code does not stand plainly in a longer text. */
const LONGEST = 300;

/** The different IBANs, or BICs, that stand in a text. */
export function textsIn(text: string, what: 'iban' | 'bic'): ReadonlySet<string> {
  if (text.length > LONGEST) return new Set();
  return what === 'iban' ? ibansIn(text.replace(/\s+/gu, ' ')) : bicsIn(text);
}

const ofLength = new Map<number, RegExp>();

/** Written at once or in groups, and ended by its length, so that a text behind an IBAN is never taken for a part of it. */
function ibanOfLength(length: number): RegExp {
  const known = ofLength.get(length);
  if (known !== undefined) return known;
  const pattern = new RegExp(`[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){${length - 4}}(?![A-Z0-9])`, 'iy');
  ofLength.set(length, pattern);
  return pattern;
}

function ibansIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { index, 0: start } of text.matchAll(/\b[A-Z]{2}\d{2}/gi)) {
    const length = ibanLength(start.slice(0, 2).toUpperCase());
    if (length === null) continue;
    const pattern = ibanOfLength(length);
    pattern.lastIndex = index;
    const iban = pattern.exec(text)?.[0].replaceAll(' ', '').toUpperCase();
    if (iban !== undefined && isIban(iban)) found.add(iban);
  }
  return found;
}

/** Many words have the form of a BIC, so that only what is called one counts, or what fills the cell. */
function bicsIn(text: string): Set<string> {
  const named = [...text.matchAll(/\b(?:BIC|SWIFT)(?:[ -]?code)?[\s:./-]*([A-Z0-9]{8}(?:[A-Z0-9]{3})?)\b/gi)];
  const written = [text, ...named.map(([, bic = '']) => bic)].map((bic) => bic.trim().toUpperCase());
  return new Set(written.filter(isBic));
}
