import Big from 'big.js';
import { parseAmount } from '../money.ts';
import type { CellIssue } from '../payment-file/row-validation.ts';
import { meansCurrency, withoutCurrencyMarks } from './currency-marks.ts';
import { AMOUNT_FORMS, isOwnAmountForm } from './forms.ts';
import { exampleAmount } from './profile-in-words.ts';
import type { AmountForm } from './profile.ts';

export type ReadText = { text: string } | CellIssue;

/** The most decimals that a currency has: how many this one has is checked with the row. */
const MOST_DECIMALS = 4;

/**
 * The amount as exact decimal text, `1234.56`. What is written in another form than that of the profile is refused, and so is a
 * sign; what the digits are worth is checked with the row. `currency` is that of the amount, null when the row does not say it.
 */
export function readAmount(cell: string, form: AmountForm | null, currency: string | null): ReadText {
  const { text, marks } = withoutCurrencyMarks(cell);
  return isOfCurrency(marks, currency) ? readNumber(text, form) : otherCurrency(currency);
}

/** A number of a workbook, which has no form; its cell may show the sign of a currency. */
export function readExactAmount(value: string, shown: string, currency: string | null): ReadText {
  const { marks } = withoutCurrencyMarks(shown.trim());
  if (!isOfCurrency(marks, currency)) return otherCurrency(currency);
  // guard: amount-as-shown
  if (isShownAs(value, shown)) return { text: value };
  return {
    code: 'amount_shown_otherwise',
    problem: 'the workbook shows something else than the amount that the cell holds',
    fix: 'look at its document, write its amount, and format the cell as a plain number that shows all of it',
  };
}

/**
 * Whether a cell of a workbook shows the amount that it holds, whole or rounded, in any form of amounts. A narrow column shows none of
 * it; what is no amount above zero is refused with its row, whatever is shown.
 */
export function isShownAs(value: string, shown: string): boolean {
  if (!(Number(value) > 0) || /^#+$/.test(shown.trim())) return true;
  // A number format may leave out the zero before the decimal sign, and the decimals behind it.
  const text = withoutCurrencyMarks(shown.trim())
    .text.replace(/^(?=[.,]\d)/, '0')
    .replace(/(?<=\d)[.,]$/, '');
  return AMOUNT_FORMS.some((form) => {
    const number = numberIn(text, form);
    if (number === null) return false;
    const step = new Big(10).pow(-(number.split('.')[1]?.length ?? 0));
    return new Big(number).minus(value).abs().times(2).lte(step);
  });
}

function isOfCurrency(marks: readonly string[], currency: string | null): boolean {
  // guard: amount-of-row-currency
  return marks.every((mark) => currency !== null && meansCurrency(mark, currency));
}

function readNumber(text: string, form: AmountForm | null): ReadText {
  const refused = refusedSign(text);
  if (refused !== null) return refused;
  if (form === null) {
    return {
      code: 'form_undecided',
      problem: 'the profile does not say how amounts are written',
      fix: 'choose the decimal sign and the separator of thousands in the profile',
    };
  }
  const number = numberIn(text, form);
  if (number !== null) return { text: number };
  // Our own form has a message for each mistake.
  const parsed = isOwnAmountForm(form) ? parseAmount(text, MOST_DECIMALS) : null;
  if (parsed !== null && !('amount' in parsed)) return parsed;
  return {
    code: 'not_in_form',
    problem: `the amount is not written as the profile says, like ${exampleAmount(form)}`,
    fix: 'look at its document and write it in this form, or choose another form in the profile if every amount has it',
  };
}

/** As `1234.56`; null: it is not written in this form. */
function numberIn(text: string, form: AmountForm): string | null {
  const { whole, groups } = patternsOf(form);
  // guard: amount-in-form
  if (!whole.test(text)) return null;
  return (groups === null ? text : text.replace(groups, '')).replace(form.decimalSign, '.');
}

/** Refused in every form, as in a file of our own columns: a minus may also stand behind, as SAP writes it. */
function refusedSign(text: string): CellIssue | null {
  const parsed = parseAmount(text.replace(/^(.*\d)\s*[-−]$/, '-$1'), MOST_DECIMALS);
  if ('amount' in parsed) return null;
  return parsed.code === 'amount_signed' || parsed.code === 'scientific_notation' ? parsed : null;
}

function otherCurrency(currency: string | null): CellIssue {
  return {
    code: 'amount_currency',
    problem:
      currency === null
        ? 'beside the amount is a text, and the row does not say its currency'
        : `beside the amount is a text that is not its currency, ${currency}`,
    fix: 'look at its document: correct the currency of the row, or take the text out',
  };
}

/** What is written in a form, and what is taken out of it. */
interface FormPatterns {
  whole: RegExp;
  groups: RegExp | null;
}

const known = new Map<string, FormPatterns>();

/** Groups are of three digits, all of them or none. Without a digit before the decimal sign, one may be lost. */
function patternsOf({ decimalSign, groupSeparator }: AmountForm): FormPatterns {
  const key = decimalSign + groupSeparator;
  const prepared = known.get(key);
  if (prepared !== undefined) return prepared;
  const group = GROUPS[groupSeparator];
  const digits = group === null ? String.raw`\d+` : String.raw`(?:\d+|\d{1,3}(?:${group}\d{3})+)`;
  const patterns = {
    whole: new RegExp(`^${digits}(?:[${decimalSign}]\\d+)?$`),
    groups: group === null ? null : new RegExp(group, 'g'),
  };
  known.set(key, patterns);
  return patterns;
}

/** Spreadsheets and people write several blanks and apostrophes. */
const GROUPS = {
  '': null,
  '.': '[.]',
  ',': '[,]',
  ' ': String.raw`[ \u00a0\u2007\u2009\u202f]`,
  "'": "['’]",
} as const satisfies Record<AmountForm['groupSeparator'], string | null>;
