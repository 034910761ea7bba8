/**
 * Spreadsheets run what starts like a formula. Where the separator of lists is another one than the comma, as in many countries,
 * they also split a text at it, so that each part can start one.
 */
const START = String.raw`=+\-@\uff1d\uff0b\uff0d\uff20`;
const FORMULA_START = new RegExp(`^(?=[${START}\t\r\n])`);
const FORMULA_IN_PART = new RegExp(`([;|\t\r\n])(?=[${START}])`, 'g');
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** With apostrophes before the start of a formula. */
const MARKABLE_START = new RegExp(`^(?='*[${START}\t\r\n])`);
const MARKABLE_PART = new RegExp(`([;|\t\r\n])(?='*[${START}])`, 'g');
const MARKED_START = new RegExp(`^'(?='*[${START}\t\r\n])`);
const MARKED_PART = new RegExp(`([;|\t\r\n])'(?='*[${START}])`, 'g');

/**
 * The text with an apostrophe before each place where a spreadsheet would otherwise run it as a formula; numbers stay numbers.
 * For files that only people read: the apostrophe cannot be distinguished from one of the text.
 */
export function withoutFormula(text: string): string {
  return PLAIN_NUMBER.test(text) ? text : text.replaceAll(FORMULA_IN_PART, "$1'").replace(FORMULA_START, "'");
}

/**
 * The same for files that are submitted again. A text that has apostrophes before the start of a formula gets one
 * more, so that `unescapeFormula` restores every text exactly.
 */
export function escapeFormula(text: string): string {
  return PLAIN_NUMBER.test(text) ? text : text.replaceAll(MARKABLE_PART, "$1'").replace(MARKABLE_START, "'");
}

/** Reverses `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.replace(MARKED_START, '').replaceAll(MARKED_PART, '$1');
}
