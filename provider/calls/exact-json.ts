import { LosslessNumber, parse, stringify } from 'lossless-json';

/** JSON in which no number ever becomes a float: read as the decimal text that was sent, written as that text. */

/** Digits of a number as JSON writes it; bounded, so that an exponent cannot blow up when it is written out. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,40})?(?:[eE][+-]?\d{1,2})?$/;

/** Whether the text is a decimal number that this program is willing to calculate with. */
export function isDecimalText(text: string): boolean {
  return JSON_NUMBER.test(text);
}

/**
 * Reads JSON; every number comes out as a string with the digits that were sent (`1.10` as `'1.10'`).
 * Throws SyntaxError for anything that is not JSON, repeats a key with two values, or is nested beyond reading.
 */
export function readJson(text: string): unknown {
  const withoutByteOrderMark = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return parse(withoutByteOrderMark, null, (digits) => digits);
  } catch {
    // The parser's own message quotes the text, which may name a beneficiary.
    throw new SyntaxError('not readable as JSON');
  }
}

/** A decimal string as the JSON number with the same digits. Throws RangeError when it is no decimal number. */
export function jsonNumber(decimal: string): LosslessNumber {
  if (!isDecimalText(decimal)) throw new RangeError('not a decimal number');
  return new LosslessNumber(decimal);
}

/** Writes JSON. `null` is written, `undefined` is left out, a `jsonNumber` keeps its digits. */
export function writeJson(value: object): string {
  const text = stringify(value);
  if (text === undefined) throw new TypeError('nothing to write as JSON');
  return text;
}
