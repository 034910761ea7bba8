/** Characters that start a formula in a spreadsheet, in their plain and full-width forms. */
const FORMULA_START = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** One or more apostrophes, then the start of a formula. */
const MARKED_START = /^'+[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/**
 * The text with an apostrophe before it where a spreadsheet would otherwise run it as a formula; numbers stay numbers.
 * For files that only people read: the apostrophe cannot be distinguished from one of the text.
 */
export function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/**
 * The same for files that are submitted again. A text that has apostrophes before the start of a formula gets one
 * more, so that `unescapeFormula` restores every text exactly.
 */
export function escapeFormula(text: string): string {
  return MARKED_START.test(text) ? `'${text}` : withoutFormula(text);
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return MARKED_START.test(text) ? text.slice(1) : text;
}
