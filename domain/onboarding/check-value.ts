import { closestName } from '../closest-name.ts';
import { ROW_REF } from '../payment-file/payment-codes.ts';
import { withoutSeparators } from '../payment-file/canonical-text.ts';
import type { ApplicantField, FieldKind } from './applicant-fields.ts';
import type { ValueIssue } from './applicant-validation.ts';
import { type CountryList, countryIssue, diallingCodeIssue } from './check-country.ts';
import { readDay } from './check-day.ts';

/** An id of the provider: it becomes part of the address of requests. */
export const PROVIDER_ID = /^(?!\.+$)[\w.~:@-]{1,128}$/;

/** What the form of a field is checked against. */
type FormCheck = (text: string, field: ApplicantField, countries: CountryList) => { value: string } | ValueIssue;

/**
 * The value in the form in which it is stored, or why it has no such form. `text` is trimmed and not empty. Days are stored as
 * YYYY-MM-DD, phone numbers as digits, all else as written.
 */
export function checkForm(text: string, field: ApplicantField, countries: CountryList): { value: string } | ValueIssue {
  return FORMS[field.kind](text, field, countries);
}

const FORMS: Readonly<Record<FieldKind, FormCheck>> = {
  text: (text) => ({ value: text }),
  reference: (text, { key }) =>
    ROW_REF.test(text)
      ? { value: text }
      : {
          code: 'reference_form',
          problem: `${key} has characters other than letters A to Z, digits, dot, _, - and /`,
          fix: 'choose another one, for example 2026-0412',
        },
  user_id: (text, { key }) =>
    PROVIDER_ID.test(text)
      ? { value: text }
      : { code: 'user_id_form', problem: `${key} does not look like an id of the provider`, fix: 'copy it again' },
  email: (text, { key }) =>
    /^[^\s@,;<>]+@[^\s@,;<>]+$/.test(text)
      ? { value: text }
      : { code: 'email_form', problem: `${key} is not one e-mail address`, fix: 'write one address without a name' },
  choice: (text, { key, choices }) => (choices.includes(text) ? { value: text } : unknownChoice(text, key, choices)),
  country: (text, { key }, countries) => countryIssue(key, text, countries) ?? { value: text },
  dialling_code: (text, { key }, countries) => diallingCodeIssue(key, text, countries) ?? { value: text },
  phone_number: (text, { key }) => {
    const digits = withoutSeparators(text);
    if (/^\d{3,20}$/.test(digits)) return { value: digits };
    return {
      code: 'phone_number_form',
      problem: `${key} is not a phone number of 3 to 20 digits`,
      fix: 'write it without the dialling code, which has its own field; in a CSV, format the column as text',
    };
  },
  day: (text, { key }) => {
    const day = readDay(text);
    if (day !== null) return { value: day };
    return {
      code: 'date_form',
      problem: `${key} is not a day that exists, written YYYY-MM-DD or DD-MM-YYYY`,
      fix: 'write it like 1990-12-31 or 31-12-1990; in a CSV, format the column as text',
    };
  },
};

function unknownChoice(text: string, key: string, choices: readonly string[]): ValueIssue {
  const suggestion = closestName(text, choices);
  return {
    code: 'unknown_choice',
    problem: `${key} is not one of the values that the provider accepts`,
    fix: `${suggestion === null ? '' : `did you mean ${suggestion}? `}use one of: ${choices.join(', ')}`,
  };
}
