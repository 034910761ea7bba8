import { closestName } from './closest-name.ts';
import type { PaymentColumn } from './csv-columns.ts';
import type { RowUnderCheck } from './row-validation.ts';

/** Lists longer than this are not spelled out in a message. */
const MAX_SPELLED_OUT = 12;

/** A cell that must hold one of a list of codes, exactly. Null, with a problem, when it does not. */
export function checkCode<Code extends string>(
  check: RowUnderCheck,
  column: PaymentColumn,
  codes: readonly Code[],
): Code | null {
  const text = check.needed(column);
  if (text === null || check.isRefused(column)) return null;
  const code = codes.find((candidate) => candidate === text);
  if (code !== undefined) return code;
  const suggestion = closestName(text, codes);
  check.refuse(column, {
    code: 'unknown_code',
    problem: `${column} is not one of the codes that it may be`,
    fix: [
      suggestion === null ? '' : `did you mean ${suggestion}?`,
      codes.length <= MAX_SPELLED_OUT ? `use one of ${codes.join(', ')}` : 'see the list of codes in the guide',
    ]
      .filter((part) => part !== '')
      .join(' '),
  });
  return null;
}

/** Two capitals. Whether the provider serves the country is the requirements' business. */
export function checkCountry(check: RowUnderCheck, column: PaymentColumn): string | null {
  const text = check.needed(column);
  if (text === null || check.isRefused(column)) return null;
  if (/^[A-Z]{2}$/.test(text)) return text;
  check.refuse(column, {
    code: 'country_form',
    problem: `${column} is not a country code of two capitals`,
    fix: /^[a-z]{2}$/i.test(text) ? `write ${text.toUpperCase()}` : 'write for example DE or GB',
  });
  return null;
}
