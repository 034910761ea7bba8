import { parse } from 'lossless-json';
import Big from 'big.js';
import { z } from 'zod';

/** A piece of JSON that is written already: an amount at its currency's decimals, or a whole answer that was kept. */
export class Written {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Json = null | boolean | number | string | Written | readonly Json[] | JsonObject;

/** A key whose value is undefined is left out. */
interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Writes JSON without ever turning an amount into a float. */
export function writeJson(value: Json): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof Written) return value.text;
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  let text = '';
  for (const [key, member] of Object.entries(value)) {
    if (member !== undefined) text += `${text ? ',' : ''}${JSON.stringify(key)}:${writeJson(member)}`;
  }
  return `{${text}}`;
}

/** A decimal as a JSON number with exactly so many decimal places: 100 at 2 is written 100.00. */
export const writtenAt = (amount: Big, decimalPlaces: number): Written => new Written(amount.toFixed(decimalPlaces));

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads JSON with its numbers as they were written; an empty body is undefined. Half of a surrogate pair is refused
 * like any other text that is no Unicode, as it could not be stored nor sent on.
 * @throws Error when it is not JSON in UTF-8
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = strictUtf8.decode(bytes);
  if (text === '') return undefined;
  const value = parse(text, undefined, numberAsWritten);
  if (text.includes('\\u') && loneSurrogate.test(JSON.stringify(value))) throw new SyntaxError('half a surrogate pair');
  return value;
}

/** Writes what `readJson` has read, each number as it was written, and plain values as JSON does. */
export function writeAsRead(value: unknown): string {
  if (typeof value === 'symbol') return textOfNumber(value);
  if (Array.isArray(value)) return `[${value.map(writeAsRead).join(',')}]`;
  if (value === undefined || value === null) return 'null';
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeAsRead(member)}`).join(',')}}`;
}

/** A number is a symbol until its schema reads it: of any object, schemas would think that an object was sent. */
const numberAsWritten = (text: string): symbol => Symbol(text);

/** What JSON.stringify, which writes whole pairs as they are, leaves escaped. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

/** Whether it has keys: neither a list nor written already. */
export const isRecord = (value: Json): value is JsonObject =>
  value !== null && typeof value === 'object' && !(value instanceof Written) && !isList(value);

const isList = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);

const textOfNumber = (number: symbol): string => number.description ?? '';

/** Any number that a float can be, in any of its spellings; longer ones would only cost time. */
const sensible = /^-?\d{1,40}(\.\d{1,340})?([eE][+-]?\d{1,3})?$/;

/** What a number may be; bounds are inclusive unless they say otherwise. */
interface NumberRange {
  readonly type?: 'number' | 'integer';
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

/** No amount of anything comes near it, and a float still tells its neighbours apart. */
const LARGEST = 1e15;

/** A JSON number in a range, read exactly. Text in quotes is refused, as the contract says number. */
export function exactNumberIn(range: NumberRange): z.ZodType<Big, symbol> {
  const { type = 'number', minimum, exclusiveMinimum, maximum = LARGEST, exclusiveMaximum } = range;
  const least = minimum ?? (exclusiveMinimum === undefined ? -LARGEST : undefined);
  const from = least === undefined ? `more than ${exclusiveMinimum || 'zero'}` : `from ${least}`;
  const to = exclusiveMaximum === undefined ? `up to ${maximum}` : `and less than ${exclusiveMaximum}`;
  const schema = { ...range, type, ...(least === undefined ? {} : { minimum: least }), maximum };
  return z
    .custom<symbol>((value) => typeof value === 'symbol' && sensible.test(textOfNumber(value)), 'must be a number')
    .meta(schema)
    .transform((number) => new Big(textOfNumber(number)))
    .refine(
      (number) =>
        (least === undefined || number.gte(least)) &&
        (exclusiveMinimum === undefined || number.gt(exclusiveMinimum)) &&
        number.lte(maximum) &&
        (exclusiveMaximum === undefined || number.lt(exclusiveMaximum)) &&
        (type === 'number' || number.eq(number.round())),
      `must be ${from} ${to}${type === 'integer' ? ', without decimals' : ''}`,
    );
}

/** A JSON number of any sign. */
export const exactNumber = exactNumberIn({});
