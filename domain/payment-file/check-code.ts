import { closestName } from '../closest-name.ts';
import type { PaymentColumn } from './csv-columns.ts';
import { COUNTRY_CODE } from './payment-codes.ts';
import type { RowValidation } from './row-validation.ts';

/** A message lists the codes of no longer list than this. */
const MAX_LISTED_CODES = 12;

/** A cell that must hold exactly one of the given codes. Null, with an error, when it does not. */
export function checkCode<Code extends string>(
  row: RowValidation,
  column: PaymentColumn,
  codes: readonly Code[],
): Code | null {
  const text = row.require(column);
  if (text === null || row.hasError(column)) return null;
  const code = codes.find((candidate) => candidate === text);
  if (code !== undefined) return code;
  const suggestion = closestName(text, codes);
  row.addError(column, {
    code: 'unknown_code',
    problem: `${column} is not one of the codes that it may be`,
    fix: [
      suggestion === null ? '' : `did you mean ${suggestion}?`,
      codes.length <= MAX_LISTED_CODES ? `use one of ${codes.join(', ')}` : 'see the list of codes in the guide',
    ]
      .filter((part) => part !== '')
      .join(' '),
  });
  return null;
}

/** Checks only the form, two capitals. The requirements say whether the provider serves the country. */
export function checkCountry(row: RowValidation, column: PaymentColumn): string | null {
  const text = row.require(column);
  if (text === null || row.hasError(column)) return null;
  if (COUNTRY_CODE.test(text)) return text;
  row.addError(column, {
    code: 'country_form',
    problem: `${column} is not a country code of two capitals`,
    fix: /^[a-z]{2}$/i.test(text) ? `write ${text.toUpperCase()}` : 'write for example DE or GB',
  });
  return null;
}
