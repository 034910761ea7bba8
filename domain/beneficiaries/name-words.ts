import { LEADING_LEGAL_FORMS, LEGAL_FORMS } from './legal-forms.ts';

/** Names as they are compared: what is written differently by people and programs for the same name does not count. */

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', ø: 'o', æ: 'a', œ: 'o', þ: 'th', ð: 'd', đ: 'd', ł: 'l', ħ: 'h', ı: 'i', ŋ: 'n', ς: 'σ' },
};
const EVERY_LETTER = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** What is not seen, and marks on letters. Vowel signs of scripts that have them are letters' own, and no such marks. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const MARKS = /\p{Script=Inherited}/gu;

/** `S.A.`, `S. A. R. L.` and `G.m.b.H.`: letters of one abbreviation. */
const ABBREVIATION = /(?<![\p{L}\p{N}])(?:\p{L}\. ?)+\p{L}(?![\p{L}\p{N}])/gu;

/** ä, ö, ü and å are also written ae, oe, ue and aa, and without their marks: all of them are a, o or u. */
const WRITTEN_OUT = /([aou])e|a(?=a)/g;

const AND = new Set(['and', 'und', 'et', 'y', 'e', 'en', 'och', 'og', 'the']);

/** In small letters, without marks, dots, and words like "and". Other scripts stay as they are. */
function allWords(name: string): string[] {
  const words = withoutMarks(name.replace(ABBREVIATION, (letters) => letters.replace(/[. ]/g, '')))
    .replace(/['’`]/g, '')
    .replace(WRITTEN_OUT, (_, vowel: string | undefined) => vowel ?? '')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !AND.has(word));
  return telling.length === 0 ? words : telling;
}

/** In small letters. Most names have no others than those of ASCII, which have neither marks nor several forms. */
function withoutMarks(name: string): string {
  if (/^[ -~]*$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .toLowerCase()
    .replace(EVERY_LETTER, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replace(MARKS, '')
    .normalize('NFC');
}

const AT_THE_END = byFirstWord(LEGAL_FORMS, true);
const IN_FRONT = byFirstWord(LEADING_LEGAL_FORMS, false);

/** By their last, or first, word: the longest first. */
function byFirstWord(forms: readonly string[], fromEnd: boolean): ReadonlyMap<string, readonly string[][]> {
  const grouped = new Map<string, string[][]>();
  for (const words of forms.map(allWords)) {
    const key = (fromEnd ? words.at(-1) : words[0]) ?? '';
    grouped.set(
      key,
      [...(grouped.get(key) ?? []), words].sort((a, b) => b.length - a.length),
    );
  }
  return grouped;
}

/** The words of a name without its legal forms; with them if it has no others. */
export function nameWords(name: string): readonly string[] {
  const known = lately.get(name);
  if (known !== undefined) return known;
  if (lately.size >= MAX_LATELY) lately.clear();
  const words = wordsOf(name);
  lately.set(name, words);
  return words;
}

/** Of names that were asked for lately: the holder of an account mostly has the name of the beneficiary, and is compared with it. */
const lately = new Map<string, readonly string[]>();
const MAX_LATELY = 1_000;

function wordsOf(name: string): string[] {
  const words = allWords(name);
  let [from, to] = [0, words.length];
  for (let form = formAt(AT_THE_END, words, from, to, true); form > 0; form = formAt(AT_THE_END, words, from, to, true))
    to -= form;
  for (let form = formAt(IN_FRONT, words, from, to, false); form > 0; form = formAt(IN_FRONT, words, from, to, false))
    from += form;
  return from < to ? words.slice(from, to) : words;
}

/** How many words the legal form at the end, or at the beginning, has; 0: there is none, or nothing beside it. */
function formAt(
  forms: ReadonlyMap<string, readonly string[][]>,
  words: readonly string[],
  from: number,
  to: number,
  fromEnd: boolean,
): number {
  const found = (forms.get((fromEnd ? words[to - 1] : words[from]) ?? '') ?? []).find((form) => {
    const start = fromEnd ? to - form.length : from;
    return start >= from && form.every((word, index) => words[start + index] === word);
  });
  return found === undefined || found.length >= to - from ? 0 : found.length;
}

/** Equal for one name, however it is spelt: marks, transliteration, legal form, blanks and punctuation do not count. */
export function nameKey(name: string): string {
  const key = nameWords(name).join('');
  return key === '' ? name.normalize('NFKC').toUpperCase().trim() : key;
}

/** Whether two names may be of one: equal, or one of them has all words of the other. An initial stands for a word. */
export function namesAgree(one: string, other: string): boolean {
  const [short, long] = [nameWords(one), nameWords(other)].sort((a, b) => a.length - b.length) as [Words, Words];
  // A name without letters is that of nobody.
  if (short.length === 0) return false;
  const [a, b] = [short.join(''), long.join('')];
  if (a === b || (a.length >= MIN_PART && (b.includes(a) || a.includes(b)))) return true;
  return short.every((word) => long.some((of) => of === word || isInitial(of, word) || isInitial(word, of)));
}

type Words = readonly string[];

/** A shorter text is found in many names. */
const MIN_PART = 5;

function isInitial(initial: string, word: string): boolean {
  return initial.length === 1 && word.startsWith(initial);
}
