import { beneficiaryName } from './beneficiary-name.ts';
import { CONFUSABLE_LETTERS } from './confusable-letters.ts';
import type { KnownBeneficiary } from './known-beneficiary.ts';
import { nameWords } from './name-words.ts';

/** Names that people take for one another: drawn alike (Unicode's UTS 39), or one letter apart. */

const LATIN = new Map(
  CONFUSABLE_LETTERS.flatMap(([latin, letters]) => Array.from(letters, (letter) => [letter, latin] as const)),
);

const ANY_OF_THEM = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu');

/** The small Latin letters that a letter looks like; null: it is Latin itself, or looks like none. */
export function latinLookAlike(letter: string): string | null {
  return LATIN.get(letter) ?? null;
}

interface Skeleton {
  words: readonly string[];
  letters: string;
  /** Numbers, single letters and Roman numbers: "Fund 2" is not a look-alike of "Fund 3". */
  numbers: string;
}

const NUMBER = /^(?:\d+|.|[ivx]+)$/u;

function skeletonOf(name: string): Skeleton {
  const words = nameWords(name.normalize('NFKC').replace(ANY_OF_THEM, (letter) => LATIN.get(letter) ?? letter));
  const inLetters = words.filter((word) => !NUMBER.test(word)).map(drawnWord);
  return {
    words: inLetters,
    letters: inLetters.join(''),
    numbers: words.filter((word) => NUMBER.test(word)).join(' '),
  };
}

/** In a word with letters a digit may stand for one. A capital I, which is small by now, is drawn as an l. */
function drawnWord(word: string): string {
  const drawn: Readonly<Record<string, string>> = { '0': 'o', '1': 'l', '5': 's', i: 'l' };
  return word
    .replace(/[015i]/g, (letter) => drawn[letter] ?? letter)
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Shorter names, and shorter words of names, differ in one letter by chance: Meier, Meyer and Maier. So do those of people. */
const MIN_LETTERS = 8;

function isLongCompanyName({ companyName }: KnownBeneficiary, { letters }: Skeleton): boolean {
  return companyName !== undefined && letters.length >= MIN_LETTERS;
}

/**
 * Texts of which two beneficiaries have one in common if their names are look-alikes; most that have one in common are none. Names that
 * differ in one letter are equal in their first or in their last half. Personal data: hash them.
 */
export function lookAlikeTexts(known: KnownBeneficiary): string[] {
  const skeleton = skeletonOf(beneficiaryName(known));
  const { letters, numbers } = skeleton;
  if (letters === '') return [];
  const whole = `whole ${numbers} ${letters}`;
  if (!isLongCompanyName(known, skeleton)) return [whole];
  const halves = new Set([Math.floor(letters.length / 2), Math.floor((letters.length - 1) / 2)]);
  return [
    whole,
    ...Array.from(halves, (length) => `begin ${numbers} ${letters.slice(0, length)}`),
    ...Array.from(halves, (length) => `end ${numbers} ${letters.slice(-length)}`),
  ];
}

/** Whether people take one name for the other. The same name is none: `nameKey` tells it. */
export function areLookAlikes(one: KnownBeneficiary, other: KnownBeneficiary): boolean {
  const [a, b] = [skeletonOf(beneficiaryName(one)), skeletonOf(beneficiaryName(other))];
  if (a.numbers !== b.numbers || a.letters === '') return false;
  if (a.letters === b.letters) return true;
  const areLong = isLongCompanyName(one, a) && isLongCompanyName(other, b);
  return areLong && isOneApart(a.letters, b.letters) && !differInShortWord(a.words, b.words);
}

function differInShortWord(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  return a.some((word, index) => word !== b[index] && Math.min(word.length, b[index]?.length ?? 0) < MIN_LETTERS);
}

/** One letter more, less or other, or two neighbours exchanged. */
function isOneApart(a: string, b: string): boolean {
  let begin = 0;
  while (begin < a.length && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - begin && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [restA, restB] = [a.slice(begin, a.length - end), b.slice(begin, b.length - end)];
  if (restA.length <= 1 && restB.length <= 1) return true;
  return restA.length === 2 && restB.length === 2 && restA[0] === restB[1] && restA[1] === restB[0];
}
