import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import { type ENTITY_TYPES, PURPOSES } from '../payment-file/payment-codes.ts';
import { translationKey } from './translation.ts';

/**
 * What texts of sheets mean as our codes. It is used for proposals alone: a profile keeps each translation that was confirmed,
 * so that no reading depends on the names of countries that this version of Node knows.
 */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt'];

/** Regions of the Unicode CLDR that are no countries of ISO 3166. */
const NO_COUNTRIES = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);

const OTHER_COUNTRY_NAMES = {
  UK: 'GB',
  'Great Britain': 'GB',
  England: 'GB',
  Scotland: 'GB',
  Großbritannien: 'GB',
  Holland: 'NL',
  'The Netherlands': 'NL',
  USA: 'US',
  'U.S.A.': 'US',
  'United States of America': 'US',
  'Czech Republic': 'CZ',
} as const;

const ENTITY_WORDS: Record<(typeof ENTITY_TYPES)[number], string> = {
  company:
    'company, business, corporate, corporation, institution, organisation, organization, legal entity, firma, unternehmen, ' +
    'entreprise, société, empresa, azienda, società, bedrijf, przedsiębiorstwo',
  individual:
    'individual, person, private, private person, natural person, employee, privatperson, natürliche person, mitarbeiter, ' +
    'particulier, particular, persona, persona física, privato, persoon, osoba fizyczna, pessoa',
};

const PURPOSE_WORDS: Readonly<Record<string, string>> = {
  IVPT: 'invoice, invoices, rechnung, facture, factura, fattura, factuur, faktura, fatura',
  SUPP: 'supplier, vendor, lieferant, fournisseur, proveedor, fornitore, leverancier, dostawca, fornecedor',
  PAYR: 'salary, salaries, wage, wages, payroll, gehalt, lohn, salaire, nómina, stipendio, salaris, wynagrodzenie, salário',
  RENT: 'rent, miete, loyer, alquiler, affitto, huur, czynsz, aluguel',
};

/** The code that a text of the column means, or null for one that is not known. A code means itself. */
export function meaningOf(column: PaymentColumn, text: string): string | null {
  return tableOf(column)?.get(translationKey(text)) ?? null;
}

/** Whether texts of the column are codes, whose meaning can be looked up. */
export function hasMeanings(column: PaymentColumn): boolean {
  return tableOf(column) !== null;
}

function tableOf(column: PaymentColumn): ReadonlyMap<string, string> | null {
  if (column.endsWith('_country')) return countries();
  if (column.endsWith('_currency')) return currencies();
  if (column === 'beneficiary_entity_type') return entityTypes();
  return column === 'purpose_of_transfer' ? purposes() : null;
}

const countries = once(() => {
  const names = new Map<string, string>();
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of regionCodes()) {
      const name = display.of(code);
      if (name === undefined) continue;
      names.set(translationKey(name), code);
      names.set(translationKey(code), code);
    }
  }
  for (const [name, code] of Object.entries(OTHER_COUNTRY_NAMES)) names.set(translationKey(name), code);
  return names;
});

function regionCodes(): string[] {
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const all = letters.flatMap((first) => letters.map((second) => first + second));
  // Codes that were replaced, such as BU by MM, are written otherwise by now.
  return all.filter((code) => !NO_COUNTRIES.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`);
}

const currencies = once(() => {
  const names = new Map<string, string>();
  const codes = Intl.supportedValuesOf('currency');
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: 'currency' });
    for (const code of codes) names.set(translationKey(display.of(code) ?? code), code);
  }
  for (const code of codes) {
    names.set(translationKey(code), code);
    for (const sign of SIGNS_OF_ONE[code] ?? []) {
      for (const text of [sign, `${code} ${sign}`, `${sign} ${code}`, `${code} (${sign})`])
        names.set(translationKey(text), code);
    }
  }
  return names;
});

/** Signs that mean one currency alone, and those that do once its code stands beside. */
const SIGNS_OF_ONE: Readonly<Record<string, readonly string[]>> = {
  EUR: ['€', 'Euro'],
  GBP: ['£'],
  USD: ['US$'],
  PLN: ['zł'],
  CZK: ['Kč'],
  INR: ['₹'],
  CHF: ['Fr.', 'SFr.'],
};

const entityTypes = once(() => wordTable(ENTITY_WORDS));

const purposes = once(() => {
  const meanings = new Map<string, string>();
  for (const [code, meaning] of Object.entries(PURPOSES)) {
    meanings.set(translationKey(code), code);
    // "Other" is the meaning of two codes, and so of none.
    if (meaning !== 'other') meanings.set(translationKey(meaning), code);
  }
  return new Map([...meanings, ...wordTable(PURPOSE_WORDS)]);
});

function wordTable(words: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([code, list]) =>
      [code, ...list.split(', ')].map((word) => [translationKey(word), code] as const),
    ),
  );
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
