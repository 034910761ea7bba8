import { z } from 'zod';
import { FUNDING_METHODS, FUNDING_SOURCES, PAYMENT_CHANNELS } from '../../domain/payment-file/payment-codes.ts';
import type { SimplePaymentStatus } from './payment-statuses.ts';
import {
  currencyCode,
  countryCode,
  sentAmount,
  sentFigure,
  sentText,
  timeWindow,
  WINDOW_FIX,
  windowIsForward,
} from '../calls/sent-fields.ts';
import {
  amount,
  optionalAmount,
  optionalFlag,
  optionalText,
  optionalTimestamp,
  requiredText,
} from '../calls/wire-fields.ts';

/** Simple payments on the wire, as sent and as read. Contract: payments 2.5, 2.6. Amounts are decimal strings. */

/** `beneficiaryId` is always written, also when null. */
export const quoteSent = z.strictObject({
  beneficiaryId: sentText.nullable(),
  sellCurrency: currencyCode,
  buyCurrency: currencyCode,
  amount: sentAmount,
  fixedSide: z.enum(['buy', 'sell'], 'give buy or sell').optional(),
  partner: z.strictObject({ fee: sentFigure.optional(), markup: sentFigure.optional() }).optional(),
  paymentChannel: z.enum(PAYMENT_CHANNELS, `give one of ${PAYMENT_CHANNELS.join(', ')}`).optional(),
});
export type QuoteRequest = z.input<typeof quoteSent>;

export const quoteAnswer = z.looseObject({
  quoteId: requiredText,
  /** Null when the provider does not say: the quote is then used at once. */
  expiresAt: optionalTimestamp,
  beneficiaryId: optionalText,
  currencyPair: optionalText,
  buyCurrency: requiredText,
  sellCurrency: requiredText,
  buyAmount: amount,
  sellAmount: amount,
  rate: amount,
  fixedSide: optionalText,
  conversionFee: optionalAmount,
  paymentFee: optionalAmount,
  totalFee: optionalAmount,
  totalAmount: amount,
  bankCharges: optionalAmount,
  paymentChannel: optionalText,
  partnerRate: optionalAmount,
  partnerBuyAmount: optionalAmount,
  partnerSellAmount: optionalAmount,
  partnerPaymentFee: optionalAmount,
  /** Null when the provider does not say, which means: required. */
  supportingDocumentsRequired: optionalFlag,
});
export type Quote = z.output<typeof quoteAnswer>;

export const createSent = z
  .strictObject({
    quoteId: sentText,
    fundingSource: z.enum(FUNDING_SOURCES, `give one of ${FUNDING_SOURCES.join(', ')}`),
    paymentReference: sentText,
    purposeOfTransfer: sentText,
    purposeOfTransferDescription: sentText.optional(),
    files: z.array(sentText, 'give the ids of uploaded files').optional(),
    referenceId: sentText.optional(),
    uniqueReferenceId: z.boolean('give true or false').optional(),
    senderUserId: sentText.optional(),
    fundingMethod: z.enum(FUNDING_METHODS, `give one of ${FUNDING_METHODS.join(', ')}`),
    fundingBankAccountNumber: z.string('give digits').regex(/^\d+$/, 'give digits only').optional(),
    fundingCountry: countryCode.optional(),
  })
  .refine((payment) => payment.fundingMethod !== 'BANK_TRANSFER' || payment.fundingBankAccountNumber !== undefined, {
    path: ['fundingBankAccountNumber'],
    error: 'give the account number that BANK_TRANSFER needs',
  })
  .refine((payment) => payment.uniqueReferenceId !== true || payment.referenceId !== undefined, {
    path: ['referenceId'],
    error: 'give the reference that is to be unique',
  });
export type NewSimplePayment = z.input<typeof createSent>;

export const fundSent = z.strictObject({ simplePaymentId: sentText });

export const findSent = z
  .strictObject({ ...timeWindow, referenceId: sentText.optional() })
  .refine(windowIsForward, WINDOW_FIX);
export type FindSimplePayments = z.input<typeof findSent>;

const beneficiaryAnswer = z.looseObject({ beneficiaryId: optionalText });

export const simplePaymentAnswer = z.looseObject({
  simplePaymentId: requiredText,
  status: requiredText.transform((status): SimplePaymentStatus => status),
  createdAt: optionalTimestamp,
  completedAt: optionalTimestamp,
  buyCurrency: optionalText,
  sellCurrency: optionalText,
  currencyPair: optionalText,
  fixedSide: optionalText,
  buyAmount: optionalAmount,
  sellAmount: optionalAmount,
  totalAmount: optionalAmount,
  totalFee: optionalAmount,
  rate: optionalAmount,
  /** The provider's own reference; the caller's is `referenceId`. */
  reference: optionalText,
  referenceId: optionalText,
  paymentReference: optionalText,
  fundingReference: optionalText,
  fundingCutoffTime: optionalTimestamp,
  fundingCountry: optionalText,
  fundingSource: optionalText,
  purposeOfTransfer: optionalText,
  failureReason: optionalText,
  beneficiary: beneficiaryAnswer.nullish().transform((beneficiary) => beneficiary ?? null),
});
export type SimplePayment = z.output<typeof simplePaymentAnswer>;
