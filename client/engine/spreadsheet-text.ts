/** What a spreadsheet takes for the start of a formula, in its plain and its wide forms. */
const FORMULA_START = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/**
 * The text with an apostrophe before it where a spreadsheet would otherwise run it as a formula; numbers stay numbers.
 * Not for files that are submitted again: there every cell must come back as it was.
 */
export function withoutFormula(text: string): string {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}
