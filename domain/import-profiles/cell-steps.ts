import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import type { CellIssue } from '../payment-file/row-validation.ts';
import { textsIn } from './parts-of-text.ts';
import type { CellPart } from './column-steps.ts';
import type { ColumnSource } from './profile.ts';
import type { ReadText } from './read-amount.ts';
import { rowRefOf } from './row-ref-of.ts';
import { translationKey } from './translation.ts';

/** What a column's source makes of the text of its cells, step by step. Prepared once for all rows. */
export function stepsOf(column: PaymentColumn, source: ColumnSource): (text: string) => ReadText {
  const { part, strip, capitals, prefix, replaceLetters } = source;
  const translation = new Map(Object.entries(source.translate).map(([theirs, ours]) => [translationKey(theirs), ours]));
  const ours = new Set(translation.values());
  const taken = strip.filter((step) => step !== 'label').map((step) => TAKEN[step]);
  const withoutLabel = strip.includes('label');
  return (cell) => {
    const found = part === null ? { text: cell } : partOf(cell, part, column);
    if (!('text' in found)) return found;
    let text = withoutLabel ? found.text.replace(LABEL, '') : found.text;
    for (const pattern of taken) text = text.replace(pattern, '');
    if (capitals) text = text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
    if (translation.size > 0) {
      const translated = translation.get(translationKey(text)) ?? (ours.has(text) ? text : null);
      if (translated === null) return notTranslated(column);
      text = translated;
    }
    // guard: nothing-left-of-a-cell
    if (text === '') return nothingLeft(column);
    text = prefix + text;
    return { text: replaceLetters ? rowRefOf(text) : text };
  };
}

const TAKEN = { blanks: /\s+/gu, dashes: /[-\u2010-\u2015\u2212]+/g, dots: /\.+/g, slashes: /\/+/g } as const;

/** `IBAN: `, `Sort code: ` and the like, and the names of codes without a colon. */
const LABEL = /^(?:\p{L}[\p{L}./ -]{0,30}:\s*|(?:IBAN|BIC|SWIFT)[\s.]+)/iu;

function partOf(cell: string, part: CellPart, column: PaymentColumn): ReadText {
  switch (part) {
    case 'iban':
      return onlyOne(textsIn(cell, 'iban'), 'an IBAN with valid check digits', column);
    case 'iban_country':
      return onlyOne(textsIn(cell, 'iban'), 'an IBAN with valid check digits', column, (iban) => iban.slice(0, 2));
    case 'bic':
      return onlyOne(textsIn(cell, 'bic'), 'a BIC', column);
    case 'before_comma':
    case 'after_comma': {
      const names = cell.split(',').map((name) => name.trim());
      if (names.length !== 2) return notInText('exactly one comma', column);
      return { text: names[part === 'before_comma' ? 0 : 1] ?? '' };
    }
    case 'before_last_blank':
    case 'after_last_blank': {
      const [, first, last] = /^(.*\S)\s+(\S+)$/su.exec(cell.trim()) ?? [];
      if (first === undefined || last === undefined) return notInText('two names with a blank between them', column);
      return { text: part === 'before_last_blank' ? first : last };
    }
  }
}

function onlyOne(
  found: ReadonlySet<string>,
  what: string,
  column: PaymentColumn,
  used: (text: string) => string = (text) => text,
): ReadText {
  const [only] = found;
  // guard: one-account-in-a-text
  return found.size === 1 && only !== undefined
    ? { text: used(only) }
    : notInText(`exactly one text that is ${what}`, column);
}

function notInText(what: string, column: PaymentColumn): CellIssue {
  return {
    code: 'not_in_text',
    problem: `${column} is a part of the cell, which does not have ${what}`,
    fix: 'correct the cell, or give the part a column of its own',
  };
}

function nothingLeft(column: PaymentColumn): CellIssue {
  return {
    code: 'not_in_form',
    problem: `the cell is filled, and what the profile takes out leaves nothing for ${column}`,
    fix: 'look at its document and correct the cell, or empty it',
  };
}

function notTranslated(column: PaymentColumn): CellIssue {
  return {
    code: 'not_translated',
    problem: `the profile does not say what the cell means as ${column}`,
    fix: 'add it to the translations of the profile, or correct the cell',
  };
}
