import { z } from 'zod';
import { isDecimalText, jsonNumber } from './exact-json.ts';

/** Fields as we send them, checked before a request is spent. The messages say what to fix and quote no content. */

export const sentText = z.string('give a text').trim().min(1, 'give a text that is not empty');

/** One sign with something on either side: more would refuse addresses that work. */
export const emailAddress = z
  .string('give an e-mail address')
  .trim()
  .regex(/^[^\s@]+@[^\s@]+$/, 'give an e-mail address');

export const currencyCode = z.string('give a currency code').regex(/^[A-Z]{3}$/, 'give three capital letters, as SGD');

export const countryCode = z.string('give a country code').regex(/^[A-Z]{2}$/, 'give two capital letters, as SG');

/** Plain decimal notation only: an exponent or a separator in an amount is a mistake more often than a wish. */
const plainDecimal = z
  .string('give a decimal string, as 1234.50')
  .refine((text) => isDecimalText(text) && !/[eE]/.test(text), 'give a decimal string, as 1234.50');

/** More than zero; written as a JSON number with the same digits. */
export const sentAmount = plainDecimal
  .refine((text) => !text.startsWith('-') && /[1-9]/.test(text), 'give an amount above zero')
  .transform(jsonNumber);

/** Zero or more; written as a JSON number with the same digits. */
export const sentFigure = plainDecimal
  .refine((text) => !text.startsWith('-'), 'give a figure of zero or more')
  .transform(jsonNumber);

/** An identifier that becomes part of an address: nothing that could lead to another one. */
export const pathId = z
  .string('give an identifier')
  .regex(/^(?!\.+$)[\w.~:@-]{1,128}$/, 'give an identifier as the provider issued it');

/** An instant, sent in UTC with milliseconds. A text must carry its zone. */
const sentInstant = z
  .union([z.date(), z.iso.datetime({ offset: true })], 'give a date, or an ISO 8601 time with its zone')
  .transform((instant) => new Date(instant).toISOString());

/** From, inclusive, to, exclusive, both optional. Contract: payments 4.3. */
export const timeWindow = {
  startDate: sentInstant.optional(),
  endDate: sentInstant.optional(),
};

export const windowIsForward = (window: { startDate?: string | undefined; endDate?: string | undefined }): boolean =>
  window.startDate === undefined || window.endDate === undefined || window.startDate < window.endDate;

export const WINDOW_FIX = { path: ['endDate'], error: 'give an end after the start; the end itself is not included' };
