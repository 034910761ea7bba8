import { parse } from 'lossless-json';
import Big from 'big.js';
import { z } from 'zod';

/** JSON that is serialized already: an amount at its currency's decimals, or a whole answer from a cache. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | number | string | RawJson | readonly Json[] | JsonObject;

/** A key whose value is undefined is omitted. */
interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Serializes JSON without turning an amount into a float. */
export function writeJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof RawJson) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text ? ',' : ''}${JSON.stringify(key)}:${writeJson(member)}`;
  }
  return `{${text}}`;
}

/** A decimal as a JSON number with exactly this many decimal places: 100 at 2 is written 100.00. */
export const amountJson = (amount: Big, decimalPlaces: number): RawJson => new RawJson(amount.toFixed(decimalPlaces));

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON and keeps its numbers as they were written; an empty body is undefined. Half a surrogate pair is an error
 * like any other text that is not Unicode, since it could be neither stored nor forwarded.
 * @throws Error when it is not JSON in UTF-8
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = strictUtf8.decode(bytes);
  if (text === '') return undefined;
  const value = parse(text, undefined, numberAsWritten);
  if (text.includes('\\u') && loneSurrogate.test(JSON.stringify(value))) throw new SyntaxError('half a surrogate pair');
  return value;
}

/** Serializes what `readJson` parsed, each number as it was written, and plain values as JSON does. */
export function writeAsRead(value: unknown): string {
  if (typeof value === 'symbol') return textOfNumber(value);
  if (Array.isArray(value)) return `[${value.map(writeAsRead).join(',')}]`;
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeAsRead(member)}`).join(',')}}`;
}

/** A number is a symbol until its schema parses it: schemas would take any object for an object in the request. */
const numberAsWritten = (text: string): symbol => Symbol(text);

/** JSON.stringify leaves only lone surrogates escaped. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether it has keys: neither a list nor raw JSON. */
export const isRecord = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && !(value instanceof RawJson) && !isList(value);

const isList = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);

const textOfNumber = (number: symbol): string => number.description ?? '';

/** Any number that a float can hold, in any notation; longer ones would only cost time. */
const numberPattern = /^-?\d{1,40}(\.\d{1,340})?([eE][+-]?\d{1,3})?$/;

/** The allowed values of a number; bounds are inclusive unless their name says otherwise. */
interface NumberRange {
  readonly type?: 'number' | 'integer';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

/** No amount comes near it, and floats of this size are still exact to the unit. */
const MAX_NUMBER = 1e15;

/** A JSON number in a range, parsed exactly. A quoted number is refused, as the contract says number. */
export function exactNumberIn(range: NumberRange): z.ZodType<Big, symbol> {
  const { type = 'number', minimum, exclusiveMinimum, maximum = MAX_NUMBER, exclusiveMaximum } = range;
  const min = minimum ?? (exclusiveMinimum === undefined ? -MAX_NUMBER : undefined);
  const from = min === undefined ? `more than ${exclusiveMinimum || 'zero'}` : `from ${min}`;
  const to = exclusiveMaximum === undefined ? `up to ${maximum}` : `and less than ${exclusiveMaximum}`;
  const schema = { ...range, type, ...(min === undefined ? {} : { minimum: min }), maximum };
  return z
    .custom<symbol>((value) => typeof value === 'symbol' && numberPattern.test(textOfNumber(value)), 'must be a number')
    .meta(schema)
    .transform((number) => new Big(textOfNumber(number)))
    .refine(
      (number) =>
        (min === undefined || number.gte(min)) &&
        (exclusiveMinimum === undefined || number.gt(exclusiveMinimum)) &&
        number.lte(maximum) &&
        (exclusiveMaximum === undefined || number.lt(exclusiveMaximum)) &&
        (type === 'number' || number.eq(number.round())),
      `must be ${from} ${to}${type === 'integer' ? ', without decimals' : ''}`,
    );
}

/** A JSON number of either sign. */
export const exactNumber = exactNumberIn({});
