import { foldHeader } from './header-meanings.ts';
import type { HeaderWords } from './header-words.ts';
import { NUMBERS_OF_PEOPLE, PAYROLL_WORDS, PERIODS } from './header-words-payment.ts';

export function isNumberOfPeople(header: string): boolean {
  return isCalled(header, PEOPLE);
}

export function isPeriod(header: string): boolean {
  return isCalled(header, PERIOD);
}

export function isPayroll(names: readonly string[]): boolean {
  return names.some((name) => isNumberOfPeople(name) || isCalled(name, PAYROLL));
}

const foldedWords = (words: HeaderWords['words']): readonly string[] =>
  Object.values(words).flatMap((list) => list.split(',').map(foldHeader));

const PEOPLE = foldedWords(NUMBERS_OF_PEOPLE);
const PERIOD = foldedWords(PERIODS);
const PAYROLL = foldedWords(PAYROLL_WORDS);

function isCalled(header: string, words: readonly string[]): boolean {
  return words.some((word) => ` ${foldHeader(header)} `.includes(` ${word} `));
}
