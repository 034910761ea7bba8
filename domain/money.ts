import Big from 'big.js';
import type { CellErrorCode } from './payment-file/cell-problem-codes.ts';

/**
 * Exact amounts. They are decimal strings in storage and payloads (`'1250.00'`) and big.js numbers in arithmetic, never
 * floats.
 */

/** The provider reads amounts as JSON numbers: a double keeps 15 digits exactly, and not always 16. */
const MAX_DIGITS = 15;

export type ParsedAmount = { amount: string } | { code: CellErrorCode; problem: string; fix: string };

/**
 * Parses an amount from a payment file and refuses every ambiguous form. Returns the amount with the decimal places of
 * the currency (`'7.5'` with two is `'7.50'`), or why it is refused.
 */
export function parseAmount(text: string, decimalPlaces: number): ParsedAmount {
  const refused = REFUSED_FORMS.find(({ form }) => form.test(text));
  if (refused !== undefined) return { code: refused.code, problem: refused.problem, fix: refused.fix };
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction.length > decimalPlaces) return tooManyDecimals(fraction, decimalPlaces);
  if (whole.length + decimalPlaces > MAX_DIGITS) {
    return {
      code: 'amount_too_large',
      problem: `the amount has more digits than can be sent exactly (${MAX_DIGITS} with its decimals)`,
      fix: 'split the payment, or check the amount',
    };
  }
  const amount = new Big(text);
  if (amount.eq(0)) {
    return { code: 'amount_zero', problem: 'the amount is zero', fix: 'give an amount, or leave the row out' };
  }
  return { amount: amount.toFixed(decimalPlaces) };
}

const PLAIN = 'write digits and one decimal point, for example 1250.00';

/** The first form that matches names the mistake best. The last one matches everything but a plain amount. */
const REFUSED_FORMS = [
  {
    form: /^[-+]?[\d.,]+e[-+]?\d+$/i,
    code: 'scientific_notation',
    problem: 'the amount is in scientific notation, so digits may be lost',
    fix: 'format the column as text or as a plain number, and enter the amount again',
  },
  {
    form: /^[-+(−]/,
    code: 'amount_signed',
    problem: 'the amount has a sign: a negative one is often a credit note, which is not paid out',
    fix: 'look at its document: leave a credit note out, and ask the author of the file about anything else',
  },
  {
    form: /^\d{1,3}(?:[,' \u00a0\u202f’]\d{3})+(?:\.\d*)?$|^\d{1,3}(?:\.\d{3})+(?:,\d*)$|^\d{1,3}(?:\.\d{3}){2,}$/,
    code: 'thousands_separator',
    problem: 'the amount seems to have thousands separators, which could be read in more than one way',
    fix: PLAIN,
  },
  {
    form: /^\d*,\d*$/,
    code: 'decimal_comma',
    problem: 'the amount has a decimal comma',
    fix: 'write a decimal point instead of the comma',
  },
  { form: /^0\d/, code: 'leading_zero', problem: 'the amount has leading zeros', fix: 'write it without them' },
  {
    form: /^\.\d+$/,
    code: 'missing_zero',
    problem: 'the amount begins with the decimal point, so a digit may be lost',
    fix: 'write the digit before the point, for example 0.50',
  },
  { form: /^(?!\d+(?:\.\d+)?$)/, code: 'amount_form', problem: 'this is not an amount', fix: PLAIN },
] as const;

/** The message names both readings and suggests neither, as the amounts differ by a factor of a thousand. */
function tooManyDecimals(fraction: string, decimalPlaces: number): ParsedAmount {
  const isGroup = fraction.length === 3;
  return {
    code: 'too_many_decimals',
    problem:
      `the amount has more decimals than the currency, which has ${decimalPlaces}` +
      (isGroup ? ', or its point separates thousands' : ''),
    fix: 'look at its document, and write the amount that it shows, with a point only before decimals',
  };
}

/**
 * A decimal string with the decimal places of the currency. `exact` throws a RangeError for a value that needs more;
 * `half_up` is for values computed by others, such as amounts that were floats on the provider's side.
 */
export function formatAmount(value: string, decimalPlaces: number, rounding: 'exact' | 'half_up' = 'exact'): string {
  const amount = new Big(value);
  const rounded = amount.round(decimalPlaces, Big.roundHalfUp);
  if (rounding === 'exact' && !rounded.eq(amount)) {
    throw new RangeError(`the value does not fit into ${decimalPlaces} decimals`);
  }
  return rounded.toFixed(decimalPlaces);
}

export function addAmounts(a: string, b: string): string {
  return sumAmounts([a, b]);
}

/** With as many decimal places as the summand with the most; `'0'` without summands. */
export function sumAmounts(amounts: Iterable<string>): string {
  let sum = new Big(0);
  let decimals = 0;
  for (const amount of amounts) {
    sum = sum.plus(amount);
    decimals = Math.max(decimals, decimalsOf(amount));
  }
  return sum.toFixed(decimals);
}

/** `times` is a whole number, so that the product needs no rounding. */
export function multiplyAmount(amount: string, times: number): string {
  if (!Number.isSafeInteger(times)) throw new RangeError('an amount is only multiplied by whole numbers');
  return new Big(amount).times(times).toFixed(decimalsOf(amount));
}

/** -1, 0 or 1: `a` is less than, equal to or greater than `b`. Trailing zeros do not count. */
export function compareAmounts(a: string, b: string): -1 | 0 | 1 {
  return new Big(a).cmp(b);
}

/** `a` minus `b`, with as many decimal places as the one with more. */
export function subtractAmounts(a: string, b: string): string {
  return new Big(a).minus(b).toFixed(Math.max(decimalsOf(a), decimalsOf(b)));
}

/** The share of a part in a whole, in percent with one decimal: `'41.7'`. Of nothing, it is `'0.0'`. */
export function percentOf(part: string, whole: string): string {
  const total = new Big(whole);
  return total.eq(0) ? '0.0' : new Big(part).times(100).div(total).round(1, Big.roundHalfUp).toFixed(1);
}

/** Zero, or without leading zeros before and trailing zeros after the point. */
const CANONICAL = /^(?:0|-?[1-9]\d*(?:\.\d*[1-9])?|-?0\.\d*[1-9])$/;

/** One text for equal amounts: no trailing zeros, no plus, no negative zero. `'-1.50'` is `'-1.5'`. */
export function canonicalAmount(amount: string): string {
  if (CANONICAL.test(amount)) return amount;
  const value = new Big(amount);
  return value.eq(0) ? '0' : value.toFixed();
}

/** An amount that others may have computed with floats: `'0.30000000000000004'` is `'0.3'`; `'0.30'` stays as it is. */
export function withoutFloatNoise(amount: string): string {
  if (amount.replace(/\D/g, '').length <= MAX_DIGITS) return amount;
  return canonicalAmount(new Big(amount).prec(MAX_DIGITS, Big.roundHalfUp).toFixed());
}

/** Whether two amounts are the same money: what differs beyond four decimals was computed with floats. As `total_of` rounds. */
export function isSameMoney(one: string, other: string): boolean {
  return new Big(one).round(4, Big.roundHalfUp).eq(new Big(other).round(4, Big.roundHalfUp));
}

function decimalsOf(amount: string): number {
  const point = amount.indexOf('.');
  return point === -1 ? 0 : amount.length - point - 1;
}
