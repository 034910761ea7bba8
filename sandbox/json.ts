import { isLosslessNumber, type LosslessNumber, parse } from 'lossless-json';
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

/** Reads JSON with its numbers as they were written. @throws SyntaxError when it is not JSON */
export const readJson = (text: string): unknown => parse(text);

const isList = (value: readonly Json[] | JsonObject): value is readonly Json[] => Array.isArray(value);

const sensible = /^-?\d{1,18}(\.\d{1,18})?([eE][+-]?\d{1,2})?$/;

/** A JSON number, read exactly. Text in quotes is refused, as the contract says number. */
export const exactNumber = z
  .custom<LosslessNumber>((value) => isLosslessNumber(value) && sensible.test(value.value), 'must be a number')
  .meta({ type: 'number' })
  .transform((number) => new Big(number.value));
