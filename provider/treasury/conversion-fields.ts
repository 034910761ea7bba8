import { z } from 'zod';
import {
  currencyCode,
  positiveAmount,
  nonEmptyText,
  timeRange,
  RANGE_ISSUE,
  isRangeForward,
} from '../calls/request-fields.ts';
import type { ConversionStatus } from '../statuses.ts';
import { amount, optionalAmount, optionalText, optionalTimestamp, requiredText } from '../calls/answer-fields.ts';

/** The fields of conversions, in requests and answers. Contract: payments 2.3, 2.4. Amounts are decimal strings. */

/** `amount` is the amount of the fixed side, which has no default here. */
export const conversionQuoteRequest = z.strictObject({
  buyCurrency: currencyCode,
  sellCurrency: currencyCode,
  fixedSide: z.enum(['buy', 'sell'], 'give buy or sell'),
  amount: positiveAmount,
});
export type ConversionQuoteRequest = z.input<typeof conversionQuoteRequest>;

/** It has no expiry time: use it at once, and once. Its amounts are the provider's, never computed here. */
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

export const newConversionRequest = z
  .strictObject({
    quoteId: nonEmptyText,
    referenceId: nonEmptyText.optional(),
    uniqueReferenceId: z.boolean('give true or false').optional(),
  })
  .refine((conversion) => conversion.uniqueReferenceId !== true || conversion.referenceId !== undefined, {
    path: ['referenceId'],
    error: 'give the reference that is to be unique',
  });
export type NewConversion = z.input<typeof newConversionRequest>;

export const fundConversionRequest = z.strictObject({ conversionId: nonEmptyText });

export const findConversionsRequest = z
  .strictObject({ ...timeRange, referenceId: nonEmptyText.optional() })
  .refine(isRangeForward, RANGE_ISSUE);
export type FindConversions = z.input<typeof findConversionsRequest>;

/** A conversion that is `awaiting_funds` may be funded or not: only `completed` means that it was funded. */
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
