import { z } from 'zod';

/** Fields and parameters that several subjects use. */

export const amount = z.string().describe('A decimal string at the decimals of the currency.');
export const day = z.string().describe('YYYY-MM-DD.');
export const instant = z.string().describe('ISO 8601, UTC.');
export const person = z.object({ userId: z.string(), name: z.string() });

/** What a person writes with a decision, stop or resolution. */
export const remark = z.string().trim().max(2000);

export const plainText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    // Half of a surrogate pair counts as a character here: the pattern is for clients of every language.
    .regex(/^[ -~\u00a0-\uffff]*$/, 'must not contain control characters');

/** A whole number in a query, where everything is text. */
export function countInQuery(min: number, max: number, defaultCount: number): z.ZodType<number> {
  return z.coerce.number('must be a whole number').int().min(min).max(max).default(defaultCount);
}
