import { isBic, isIban } from '../payment-file/account-codes.ts';

/** A code does not stand plainly in a longer text. */
const LONGEST = 300;

/** The different IBANs, or BICs, that stand in a text. */
export function textsIn(text: string, what: 'iban' | 'bic'): ReadonlySet<string> {
  if (text.length > LONGEST) return new Set();
  return what === 'iban' ? ibansIn(text.replace(/\s+/gu, ' ')) : bicsIn(text);
}

/** Countries by how many letters and digits their IBANs have. Source: the IBAN registry of SWIFT (ISO 13616). */
const IBAN_COUNTRIES = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
} as const;

/** Written at once or in groups, and ended by its length, so that a text behind an IBAN is never taken for a part of it. */
const IBAN_OF_COUNTRY: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(IBAN_COUNTRIES).flatMap(([length, countries]) => {
    const pattern = new RegExp(`[A-Z]{2}\\d{2}(?: ?[A-Z0-9]){${Number(length) - 4}}(?![A-Z0-9])`, 'iy');
    return countries.split(' ').map((country) => [country, pattern] as const);
  }),
);

function ibansIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const { index, 0: start } of text.matchAll(/\b[A-Z]{2}\d{2}/gi)) {
    const pattern = IBAN_OF_COUNTRY.get(start.slice(0, 2).toUpperCase());
    if (pattern === undefined) continue;
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
