import { z } from 'zod';
import { isDecimalText, jsonNumber } from './exact-json.ts';

/** Request fields, validated before a request is sent. The messages say what to fix and quote no content. */

export const nonEmptyText = z.string('give a text').trim().min(1, 'give a text that is not empty');

/** Only one @ with text on both sides is required: a stricter pattern would refuse valid addresses. */
export const emailAddress = z
  .string('give an e-mail address')
  .trim()
  .regex(/^[^\s@]+@[^\s@]+$/, 'give an e-mail address');

export const currencyCode = z.string('give a currency code').regex(/^[A-Z]{3}$/, 'give three capital letters, as SGD');

export const countryCode = z.string('give a country code').regex(/^[A-Z]{2}$/, 'give two capital letters, as SG');

/** Plain decimal notation only: an exponent or a separator in an amount is usually a mistake. */
const plainDecimal = z
  .string('give a decimal string, as 1234.50')
  .refine((text) => isDecimalText(text) && !/[eE]/.test(text), 'give a decimal string, as 1234.50');

/** Greater than zero; sent as a JSON number with the same digits. */
export const positiveAmount = plainDecimal
  .refine((text) => !text.startsWith('-') && /[1-9]/.test(text), 'give an amount above zero')
  .transform(jsonNumber);

/** Zero or more; sent as a JSON number with the same digits. */
export const nonNegativeAmount = plainDecimal
  .refine((text) => !text.startsWith('-'), 'give an amount of zero or more')
  .transform(jsonNumber);

/** An identifier that becomes part of a URL path: without characters that could change the path. */
export const pathId = z
  .string('give an identifier')
  .regex(/^(?!\.+$)[\w.~:@-]{1,128}$/, 'give an identifier as the provider issued it');

/** An instant, sent in UTC with milliseconds. A text must include its time zone. */
const instant = z
  .union([z.date(), z.iso.datetime({ offset: true })], 'give a date, or an ISO 8601 time with its zone')
  .transform((instant) => new Date(instant).toISOString());

/** Start inclusive, end exclusive, both optional. Contract: payments 4.3. */
export const timeRange = {
  startDate: instant.optional(),
  endDate: instant.optional(),
};

export const isRangeForward = (range: { startDate?: string | undefined; endDate?: string | undefined }): boolean =>
  range.startDate === undefined || range.endDate === undefined || range.startDate < range.endDate;

export const RANGE_ISSUE = { path: ['endDate'], error: 'give an end after the start; the end itself is not included' };
