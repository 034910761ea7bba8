import type { FileColumn } from '../../api/payment-file/column.ts';
import type { ColumnSource } from './reading-profile.ts';

/** How the reading of a sheet is said to the person who decides. */

/** `"1.250,00" is 1250.00, "99,5" is not read`. */
export function samplesInWords(rows: readonly { cell: string; read: string | null }[]): string {
  return rows.map(({ cell, read }) => `“${cell}” is ${read ?? 'not read'}`).join(', ');
}

export const PARTS: Readonly<Record<NonNullable<ColumnSource['part']>, string>> = {
  iban: 'the IBAN in it',
  iban_country: 'the country of its IBAN',
  bic: 'the BIC in it',
  before_comma: 'what is before the comma',
  after_comma: 'what is after the comma',
  before_last_blank: 'what is before the last blank',
  after_last_blank: 'what is after the last blank',
};

/** What is done with the cells of a column: `without blanks`, `in capitals`. */
export function stepsInWords(source: ColumnSource): string[] {
  const { part, strip, capitals, prefix, replaceLetters, translate } = source;
  return [
    ...(part === null ? [] : [PARTS[part]]),
    ...(strip.length === 0
      ? []
      : [`without ${strip.map((each) => (each === 'label' ? 'a label before it' : each)).join(' and ')}`]),
    ...(capitals ? ['in capitals'] : []),
    ...(replaceLetters ? ['letters that it may not have are replaced'] : []),
    ...(prefix === '' ? [] : [`after “${prefix}”`]),
    ...Object.entries(translate).map(([said, meant]) => `“${said}” means ${meant}`),
  ];
}

export interface Suggestion {
  text: string;
  /** What it means, where the table of columns says so. */
  meaning: string | null;
}

/** Texts that the description of a column offers: `buy`, what the beneficiary gets; SUPP (supplier payment). */
export function suggestionsOf({ name, description }: Pick<FileColumn, 'name' | 'description'>): Suggestion[] {
  // Codes of accounts differ from row to row, and marks in these texts are letters that they may have.
  if (/^(row_ref|supporting_files|(bank|intermediary)_.*)$/.test(name)) return [];
  const explained = [...description.matchAll(/\b([A-Z]{3,}) \(([^)]+)\)/g)];
  const quoted = [...description.matchAll(/`([A-Za-z_-]+)`(?:, (what [^,.]+))?/g)];
  const named = [...description.matchAll(/for example ([A-Z_]+)\./g)];
  return [...explained, ...quoted, ...named]
    .map(([, text = '', meaning = null]) => ({ text, meaning }))
    .filter(({ text }) => !/^[a-z]+_[a-z_]+$/.test(text));
}

export const NEEDS: Readonly<Record<FileColumn['need'], string>> = {
  always: 'Needed in every row',
  with_details: 'Needed unless beneficiary_id or beneficiary_key names the beneficiary',
  by_requirements: 'Needed where the provider asks for it',
  optional: 'May be left empty',
};
