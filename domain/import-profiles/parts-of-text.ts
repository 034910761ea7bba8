import { isBic, isIban } from '../payment-file/account-check-digits.ts';

/** The different IBANs, or BICs, that stand in a text. */
export function textsIn(text: string, what: 'iban' | 'bic'): ReadonlySet<string> {
  return what === 'iban' ? ibansIn(text) : bicsIn(text);
}

/** Written at once or in groups of four, of which the last may be shorter. */
const IBAN_IN_TEXT = /\b(?=([A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b))/gi;

/** Every reading at every place counts, so that a text behind an IBAN is never taken for a part of it. */
function ibansIn(cell: string): Set<string> {
  const found = new Set<string>();
  for (const [, written = ''] of cell.replace(/\s+/gu, ' ').matchAll(IBAN_IN_TEXT)) {
    for (let end = 15; end <= written.length; end++) {
      if (/[A-Z0-9]/i.test(written[end] ?? '')) continue;
      const iban = written.slice(0, end).replaceAll(' ', '').toUpperCase();
      if (isIban(iban)) found.add(iban);
    }
  }
  return found;
}

/** Many words have the form of a BIC, so that only what is called one counts, or what fills the cell. */
function bicsIn(cell: string): Set<string> {
  const named = [...cell.matchAll(/\b(?:BIC|SWIFT)(?:[ -]?code)?[\s:./-]*([A-Z0-9]{8}(?:[A-Z0-9]{3})?)\b/gi)];
  const written = [cell, ...named.map(([, bic = '']) => bic)].map((bic) => bic.trim().toUpperCase());
  return new Set(written.filter(isBic));
}
