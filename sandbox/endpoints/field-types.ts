import { z } from 'zod';
import { exactNumberIn } from '../core/json.ts';
import { currencies } from '../market/currencies.ts';
import { beneficiaryCountries } from '../corridors/countries.ts';

/**
 * Text with a minimum and maximum length in code points, as in JSON Schema: a character outside the basic plane counts
 * once, although JavaScript's length counts it twice.
 */
export function textOf(minLength: number, maxLength: number): z.ZodType<string, string> {
  return z
    .string()
    .refine((text) => {
      const length = text.length > 2 * maxLength ? text.length : Array.from(text).length;
      return length >= minLength && length <= maxLength;
    }, `must have from ${minLength} to ${maxLength} characters`)
    .meta({ minLength, maxLength });
}

/** A name, title or line of an address. */
export const shortText = textOf(1, 255);

/** An identifier that the sandbox issued. */
export const id = z.uuid();

/** When something happened, ISO 8601 in UTC with milliseconds. */
export const timestamp = z.iso.datetime();

/** A day, `YYYY-MM-DD`. */
export const day = z.iso.date();

/** A supported currency. Contract: payments 2.2. */
export const currencyCode = z.enum([...currencies.keys()] as [string, ...string[]], {
  error: 'must be a supported currency code, e.g. USD',
});

/** A country of the country list. Contract: account 2.9. */
export const listedCountry = z.enum([...beneficiaryCountries] as [string, ...string[]], {
  error: 'must be a two-letter code of the country list, e.g. SG',
});

/** The schema, with an example that it accepts. */
export const withExample = <Schema extends z.ZodType>(schema: Schema, example: z.input<Schema> | object): Schema =>
  schema.meta({ examples: [example] });

/** An amount that can be quoted in any currency; its decimals are checked with the currency. */
export const quotableAmount = exactNumberIn({ exclusiveMinimum: 0, maximum: 999_999_999_999 });
