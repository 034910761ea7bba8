import { z } from 'zod';
import { currencyCode, sentAmount, sentText, timeWindow, WINDOW_FIX, windowIsForward } from '../calls/sent-fields.ts';
import type { ConversionStatus } from '../payments/payment-statuses.ts';
import { amount, optionalAmount, optionalText, optionalTimestamp, requiredText } from '../calls/wire-fields.ts';

/** Conversions on the wire, as sent and as read. Contract: payments 2.3, 2.4. Amounts are decimal strings. */

/** `amount` is that of the fixed side, which has no default here. */
export const conversionQuoteSent = z.strictObject({
  buyCurrency: currencyCode,
  sellCurrency: currencyCode,
  fixedSide: z.enum(['buy', 'sell'], 'give buy or sell'),
  amount: sentAmount,
});
export type ConversionQuoteRequest = z.input<typeof conversionQuoteSent>;

/** It does not say how long it is good: it is used at once, and once. Its figures are read, never computed. */
export const conversionQuoteAnswer = z.looseObject({
  quoteId: requiredText,
  currencyPair: optionalText,
  buyCurrency: requiredText,
  sellCurrency: requiredText,
  buyAmount: amount,
  sellAmount: amount,
  rate: amount,
  totalFees: optionalAmount,
  totalAmount: amount,
  fixedSide: optionalText,
});
export type ConversionQuote = z.output<typeof conversionQuoteAnswer>;

export const newConversionSent = z
  .strictObject({
    quoteId: sentText,
    referenceId: sentText.optional(),
    uniqueReferenceId: z.boolean('give true or false').optional(),
  })
  .refine((conversion) => conversion.uniqueReferenceId !== true || conversion.referenceId !== undefined, {
    path: ['referenceId'],
    error: 'give the reference that is to be unique',
  });
export type NewConversion = z.input<typeof newConversionSent>;

export const fundConversionSent = z.strictObject({ conversionId: sentText });

export const findConversionsSent = z
  .strictObject({ ...timeWindow, referenceId: sentText.optional() })
  .refine(windowIsForward, WINDOW_FIX);
export type FindConversions = z.input<typeof findConversionsSent>;

/** `awaiting_funds` does not tell a funded conversion from one that is not: only `completed` says that it was funded. */
export const conversionAnswer = z.looseObject({
  conversionId: requiredText,
  referenceId: optionalText,
  status: requiredText.transform((status): ConversionStatus => status),
  currencyPair: optionalText,
  buyCurrency: optionalText,
  sellCurrency: optionalText,
  fixedSide: optionalText,
  buyAmount: optionalAmount,
  sellAmount: optionalAmount,
  totalAmount: optionalAmount,
  rate: optionalAmount,
  totalFees: optionalAmount,
  createdAt: optionalTimestamp,
  fundingCutoffTime: optionalTimestamp,
});
export type Conversion = z.output<typeof conversionAnswer>;
