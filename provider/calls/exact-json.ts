import { LosslessNumber, parse, stringify } from 'lossless-json';

/** JSON without floats: numbers are read as decimal strings, and written with the same digits. */

/** A JSON number, bounded so that writing out its exponent stays small. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;

/** Whether the text is a decimal number of an accepted size. */
export function isDecimalText(text: string): boolean {
  return JSON_NUMBER.test(text);
}

/**
 * Reads JSON; every number becomes a string with the same digits (`1.10` is `'1.10'`).
 * @throws SyntaxError for invalid JSON, a key repeated with another value, or too deep nesting
 */
export function readJson(text: string): unknown {
  const withoutByteOrderMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return parse(withoutByteOrderMark, null, (digits) => digits);
  } catch {
    // The parser's message quotes the text, which may name a beneficiary.
    throw new SyntaxError('not readable as JSON');
  }
}

/** A decimal string as the JSON number with the same digits. @throws RangeError for any other string */
export function jsonNumber(decimal: string): LosslessNumber {
  if (!isDecimalText(decimal)) throw new RangeError('not a decimal number');
  return new LosslessNumber(decimal);
}

/** Writes JSON. `undefined` is left out, `null` is not, a `jsonNumber` keeps its digits. */
export function writeJson(value: object): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('nothing to write as JSON');
  return text;
}
