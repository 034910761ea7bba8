import { z } from 'zod';
import { FUNDING_METHODS, FUNDING_SOURCES, PAYMENT_CHANNELS } from '../../domain/payment-file/payment-codes.ts';
import type { SimplePaymentStatus } from '../statuses.ts';
import {
  currencyCode,
  countryCode,
  positiveAmount,
  nonNegativeAmount,
  nonEmptyText,
  timeRange,
  RANGE_ISSUE,
  isRangeForward,
} from '../calls/request-fields.ts';
import {
  amount,
  optionalAmount,
  optionalFlag,
  optionalText,
  optionalTimestamp,
  requiredText,
} from '../calls/answer-fields.ts';

/** The fields of simple payments, in requests and answers. Contract: payments 2.5, 2.6. Amounts are decimal strings. */

/** `beneficiaryId` is always sent, also if null. */
export const quoteRequest = z.strictObject({
  beneficiaryId: nonEmptyText.nullable(),
  sellCurrency: currencyCode,
  buyCurrency: currencyCode,
  amount: positiveAmount,
  fixedSide: z.enum(['buy', 'sell'], 'give buy or sell').optional(),
  partner: z.strictObject({ fee: nonNegativeAmount.optional(), markup: nonNegativeAmount.optional() }).optional(),
  paymentChannel: z.enum(PAYMENT_CHANNELS, `give one of ${PAYMENT_CHANNELS.join(', ')}`).optional(),
});
export type QuoteRequest = z.input<typeof quoteRequest>;

export const quoteAnswer = z.looseObject({
  quoteId: requiredText,
  /** Null if the provider does not send it: the quote is then used at once. */
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
  /** Null if the provider does not send it, which means required. */
  supportingDocumentsRequired: optionalFlag,
});
export type Quote = z.output<typeof quoteAnswer>;

export const createRequest = z
  .strictObject({
    quoteId: nonEmptyText,
    fundingSource: z.enum(FUNDING_SOURCES, `give one of ${FUNDING_SOURCES.join(', ')}`),
    paymentReference: nonEmptyText,
    purposeOfTransfer: nonEmptyText,
    purposeOfTransferDescription: nonEmptyText.optional(),
    files: z.array(nonEmptyText, 'give the ids of uploaded files').optional(),
    referenceId: nonEmptyText.optional(),
    uniqueReferenceId: z.boolean('give true or false').optional(),
    senderUserId: nonEmptyText.optional(),
    fundingMethod: z.enum(FUNDING_METHODS, `give one of ${FUNDING_METHODS.join(', ')}`),
    fundingBankAccountNumber: z.string('give digits').regex(/^\d+$/, 'give digits only').optional(),
    fundingCountry: countryCode.optional(),
  })
  .refine((payment) => payment.fundingMethod !== 'BANK_TRANSFER' || payment.fundingBankAccountNumber !== undefined, {
    path: ['fundingBankAccountNumber'],
    error: 'give the account number, which BANK_TRANSFER requires',
  })
  .refine((payment) => payment.uniqueReferenceId !== true || payment.referenceId !== undefined, {
    path: ['referenceId'],
    error: 'give the reference that is to be unique',
  });
export type NewSimplePayment = z.input<typeof createRequest>;

export const fundRequest = z.strictObject({ simplePaymentId: nonEmptyText });

export const findRequest = z
  .strictObject({ ...timeRange, referenceId: nonEmptyText.optional() })
  .refine(isRangeForward, RANGE_ISSUE);
export type FindSimplePayments = z.input<typeof findRequest>;

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
