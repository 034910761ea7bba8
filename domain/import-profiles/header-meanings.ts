import { withoutMarks } from '../without-marks.ts';
import { CSV_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import { BANK_HEADERS } from './header-words-bank.ts';
import { BENEFICIARY_HEADERS } from './header-words-beneficiary.ts';
import type { HeaderWords } from './header-words.ts';
import { OTHER_HEADERS } from './header-words-other.ts';
import { PAYMENT_HEADERS } from './header-words-payment.ts';
import { OTHER_ACCOUNT_WORDS, OTHER_UNIT_WORDS } from './words-within-headers.ts';

interface HeaderMeaning {
  column: PaymentColumn | null;
  also: readonly PaymentColumn[];
  /** The header is the word itself, and does not merely contain it. */
  isWhole: boolean;
  /** It contains a word of none of ours as well. */
  isDoubtful: boolean;
}

/** What a header means: as a whole, or by the longest words in it. Several meanings: a person decides. */
export function meaningsOfHeader(header: string): readonly HeaderMeaning[] {
  const folded = foldHeader(header);
  const whole = byPhrase.get(folded);
  if (whole !== undefined) return whole;
  if (EXCLUDING.some((phrase) => ` ${folded} `.includes(` ${phrase} `))) return [NONE_OF_OURS];
  const words = folded.split(' ');
  const meanings = meaningsWithin(words);
  const isOfAccount = meanings.length === 0 || meanings.some(({ column }) => column?.startsWith('bank_'));
  // guard: account-of-another
  if (isOfAccount && words.some((word) => OTHER_ACCOUNT.has(word))) return [NONE_OF_OURS];
  return meanings;
}

/** Whether a header of an amount says that it is in cents, thousands or the like. */
export function isInOtherUnit(header: string): boolean {
  return foldHeader(header)
    .split(' ')
    .some((word) => OTHER_UNIT.has(word));
}

function meaningsWithin(words: readonly string[]): HeaderMeaning[] {
  for (let count = words.length - 1; count > 0; count--) {
    const found = Array.from({ length: words.length - count + 1 }, (_, start) =>
      containable.get(words.slice(start, start + count).join(' ')),
    ).flatMap((meanings) => meanings ?? []);
    if (found.length > 0) return containedMeanings(found);
  }
  return [];
}

const NONE_OF_OURS: HeaderMeaning = { column: null, also: [], isWhole: true, isDoubtful: false };

const NAMES: readonly (PaymentColumn | null)[] = ['beneficiary_company_name', 'bank_account_holder_name'];

function containedMeanings(found: readonly HeaderMeaning[]): HeaderMeaning[] {
  const isNone = ({ column, also }: HeaderMeaning) => column === null && also.length === 0;
  const isDoubtful = found.some(isNone);
  const named = found.filter((meaning) => !isNone(meaning));
  // "Vendor address" is an address, and "adresse du fournisseur" as well.
  const others = named.filter(({ column }) => !NAMES.includes(column));
  const ours = others.length > 0 ? others : named;
  return ours.length === 0 ? [NONE_OF_OURS] : ours.map((meaning) => ({ ...meaning, isWhole: false, isDoubtful }));
}

/**
 * A header as the words above are compared: small letters without marks, in words. Umlauts are the same in both of their
 * spellings; # and º are "no".
 */
export function foldHeader(header: string): string {
  const inWords = header
    .replace(/(\p{Ll})(\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})|(\p{L})(?=\p{N})/gu, '$1$3$4 $2')
    .replace(/[#№]/gu, ' no ');
  return withoutMarks(inWords)
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replace(/([aou])e/g, '$1')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function phrases(isContained: boolean): Map<string, HeaderMeaning[]> {
  const found = new Map<string, HeaderMeaning[]>();
  const add = (phrase: string, meaning: HeaderMeaning) => {
    const others = found.get(phrase) ?? [];
    if (!others.some(({ column }) => column === meaning.column)) found.set(phrase, [...others, meaning]);
  };
  // Our own names, also written in other ways.
  for (const { name } of CSV_COLUMNS)
    add(foldHeader(name), { column: name, also: [], isWhole: true, isDoubtful: false });
  for (const entry of EVERY_HEADER_WORDS) {
    if (isContained && entry.onlyAlone === true) continue;
    const meaning = { column: entry.column, also: entry.also ?? [], isWhole: true, isDoubtful: false };
    for (const list of Object.values(entry.words)) for (const word of list.split(',')) add(foldHeader(word), meaning);
  }
  return found;
}

/** For the test that every word is of one meaning. */
export const EVERY_HEADER_WORDS: readonly HeaderWords[] = [
  ...PAYMENT_HEADERS,
  ...BENEFICIARY_HEADERS,
  ...BANK_HEADERS,
  ...OTHER_HEADERS,
];

const byPhrase: ReadonlyMap<string, HeaderMeaning[]> = phrases(false);
const containable: ReadonlyMap<string, HeaderMeaning[]> = phrases(true);

const EXCLUDING = EVERY_HEADER_WORDS.filter(({ excludes }) => excludes === true).flatMap(({ words }) =>
  Object.values(words).flatMap((list) => list.split(',').map(foldHeader)),
);

const foldedWords = (words: Readonly<Record<string, string>>) =>
  new Set(Object.values(words).flatMap((list) => list.split(',').map(foldHeader)));

const OTHER_ACCOUNT: ReadonlySet<string> = foldedWords(OTHER_ACCOUNT_WORDS);
const OTHER_UNIT: ReadonlySet<string> = foldedWords(OTHER_UNIT_WORDS);
