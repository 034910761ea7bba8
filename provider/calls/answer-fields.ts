import { Big } from 'big.js';
import { z } from 'zod';
import { isDecimalText } from './exact-json.ts';
import { readInstant } from '../../domain/instant.ts';

/**
 * Answer fields, read liberally: absent and `null` are both null, numbers were read as strings (see exact-json.ts), and
 * fields that a schema does not list are kept.
 */

/** A text, or null when absent. */
export const optionalText = z
  .string()
  .nullish()
  .transform((text) => text ?? null);

/** An identifier or status, without which the answer is unreadable. */
export const requiredText = z.string().min(1);

/** An exact decimal string without exponent, from a JSON number or a string. */
export const amount = z
  .string()
  .trim()
  .refine(isDecimalText, 'not a decimal number')
  .transform((text) => (/[eE]/.test(text) ? new Big(text).toFixed() : text));

export const optionalAmount = z
  .union([amount, z.literal(''), z.null(), z.undefined()])
  .optional()
  .transform((text) => (text === undefined || text === '' ? null : text));

/** A flag, also when sent as text; null if absent, which is not the same as false. */
export const optionalFlag = z
  .union([z.boolean(), z.literal('true').transform(() => true), z.literal('false').transform(() => false)])
  .nullish()
  .transform((flag) => flag ?? null);

/** An instant: the original text, and milliseconds since 1970 UTC, or null if the text is not a time. */
export interface Timestamp {
  raw: string;
  epochMs: number | null;
}

/** As `readInstant`, with the text as the provider sent it. */
export function readTimestamp(raw: string): Timestamp {
  return { raw, epochMs: readInstant(raw) };
}

export const optionalTimestamp = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text === '' ? null : readTimestamp(text)));
