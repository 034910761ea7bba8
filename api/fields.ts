import { z } from 'zod';
import { SAFE_LINE, SAFE_LINES, UNSAFE_CHARACTER } from '../domain/unsafe-characters.ts';

/** Fields and parameters that several subjects use. */

export const amount = z.string().describe('A decimal string at the decimals of the currency.');
export const day = z.string().describe('YYYY-MM-DD.');
export const instant = z.string().describe('ISO 8601, UTC.');
export const person = z.object({ userId: z.string(), name: z.string() });

const UNSAFE_TEXT = 'must not contain control characters, or invisible ones that hide or reorder text';
const isVisible = (text: string): boolean => !UNSAFE_CHARACTER.test(text.replaceAll(/[\t\r\n]/g, ' '));

/** What a person writes with a decision, stop or manualOutcome, on several lines if they like. */
export const remark = z.string().trim().max(2000).regex(SAFE_LINES, UNSAFE_TEXT).refine(isVisible, UNSAFE_TEXT);

export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    // Half of a surrogate pair counts as a character here: the pattern is for clients of every language.
    .regex(SAFE_LINE, UNSAFE_TEXT)
    .refine(isVisible, UNSAFE_TEXT);

export const dayOrTimeInQuery = z
  .union(
    [z.iso.date(), z.iso.datetime({ offset: true })],
    'give a day or a time, as 2026-01-31 or 2026-01-31T12:00:00Z',
  )
  .nullable()
  .default(null);

/** A whole number in a query, where everything is text. */
export function countInQuery(min: number, max: number, defaultCount: number) {
  return z.coerce.number<number>('must be a whole number').int().min(min).max(max).default(defaultCount);
}

/** Yes or no in a query or a form. */
export const flagInQuery = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** Of a list that administrators get of all users. */
export const ownQuery = z.object({ own: flagInQuery.describe('Only your own, also for an administrator.') });
