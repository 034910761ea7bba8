import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import { ROW_REF } from '../payment-file/payment-codes.ts';
import type { Candidate, Fit, NamedSamples, ProposedColumn } from './candidate.ts';
import { foldHeader } from './header-meanings.ts';
import { NUMBERS_OF_PEOPLE, PERIODS } from './header-words-payment.ts';
import { NOTHING } from './proposed-source.ts';
import { rowRefOf } from './row-ref-of.ts';

/**
 * What may fill `row_ref`: a header that tells the rows apart this month and the next one; where none does, whom a row pays and its day or
 * period together. A text that is the same in every row, never.
 */
export function rowRefCandidates(
  samples: NamedSamples,
  fits: ReadonlyMap<PaymentColumn, readonly Fit[]>,
  fromHeaders: ProposedColumn | null,
): ProposedColumn | null {
  const [first] = fromHeaders?.candidates ?? [];
  const header = first?.source.from[0];
  if (header !== undefined && !isNumberOfPeople(header) && tellsMostApart(samples, [header])) return fromHeaders;
  const joined = joinedCandidates(samples, fits);
  const candidates = [...joined, ...(fromHeaders?.candidates ?? [])];
  // Rows whose cells are repeated would be refused: a person decides.
  const isDecided = joined.length > 0 || (header !== undefined && tellsMostApart(samples, [header]));
  return candidates.length === 0 ? null : { column: 'row_ref', candidates, isDecided };
}

function joinedCandidates(samples: NamedSamples, fits: ReadonlyMap<PaymentColumn, readonly Fit[]>): Candidate[] {
  const headersOf = (column: PaymentColumn) => (fits.get(column) ?? []).slice(0, 1).map(({ header }) => header);
  const periods = samples.names.filter((name) => isCalled(name, PERIOD_HEADERS));
  const times = [...periods, ...headersOf('pay_on')];
  const people = [
    samples.names.filter(isNumberOfPeople),
    [...headersOf('beneficiary_first_name'), ...headersOf('beneficiary_last_name')],
    headersOf('bank_account_holder_name'),
    headersOf('beneficiary_company_name'),
  ].filter((headers) => headers.length > 0);
  for (const headers of people) {
    for (const time of times) {
      const from = [time, ...headers.filter((header) => header !== time)];
      if (from.length < 2 || !isUnique(samples, from)) continue;
      const named = from.map((each) => `"${each}"`).join(' and ');
      const reason = `${named} together are different in each row, and in the next month`;
      const source = { ...NOTHING, from, between: '-', replaceLetters: true };
      return [{ source, why: 'contents', isSure: false, reason }];
    }
  }
  return [];
}

const HALF = 0.5;

/** An invoice that is in the sheet twice, by mistake, leaves it what tells the rows apart. */
function tellsMostApart(samples: NamedSamples, headers: readonly string[]): boolean {
  const refs = refsOf(samples, headers).filter((ref) => ref !== '');
  return new Set(refs).size > HALF * samples.records.length;
}

function isUnique(samples: NamedSamples, headers: readonly string[]): boolean {
  const refs = refsOf(samples, headers);
  return refs.length > 0 && new Set(refs).size === refs.length && refs.every((ref) => ROW_REF.test(ref));
}

/** Of a row with an empty cell among them, an empty one. */
function refsOf({ names, records }: NamedSamples, headers: readonly string[]): string[] {
  const places = headers.map((header) => names.indexOf(header));
  return records.map(({ cells }) => {
    const parts = places.map((place) => (cells[place] ?? '').trim());
    return parts.includes('') ? '' : rowRefOf(parts.join('-'));
  });
}

function isNumberOfPeople(header: string): boolean {
  return isCalled(header, PEOPLE_HEADERS);
}

const foldedWords = (words: Readonly<Record<string, string>>): readonly string[] =>
  Object.values(words).flatMap((list) => list.split(',').map(foldHeader));

const PEOPLE_HEADERS = foldedWords(NUMBERS_OF_PEOPLE);
const PERIOD_HEADERS = foldedWords(PERIODS);

function isCalled(header: string, words: readonly string[]): boolean {
  const folded = foldHeader(header);
  return words.some((word) => folded === word || ` ${folded} `.includes(` ${word} `));
}
