import { Big } from 'big.js';
import { z } from 'zod';
import { isDecimalText } from './exact-json.ts';

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

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?([.,]\d+)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** ISO 8601 with or without zone; none means UTC. Digits past the millisecond are dropped. */
export function readTimestamp(raw: string): Timestamp {
  const match = INSTANT.exec(raw.trim());
  if (match === null) return { raw, epochMs: null };
  const [, day, minutes, seconds, fraction, zone] = match;
  const milliseconds = (fraction ?? '').slice(1, 4).padEnd(3, '0');
  const time = `${day ?? ''}T${minutes ?? '00:00'}${seconds ?? ':00'}.${milliseconds}${zoneOf(zone)}`;
  const epochMs = Date.parse(time);
  return { raw, epochMs: Number.isNaN(epochMs) ? null : epochMs };
}

function zoneOf(zone: string | undefined): string {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

export const optionalTimestamp = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === null || text === '' ? null : readTimestamp(text)));
