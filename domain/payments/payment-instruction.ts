import { z } from 'zod';
import {
  AMOUNT_SIDES,
  COUNTRY_CODE,
  CURRENCY_CODE,
  ENTITY_TYPES,
  FUNDING_METHODS,
  FUNDING_SOURCES,
  PAYMENT_CHANNELS,
  ROW_REF,
} from '../payment-file/payment-codes.ts';

const text = z.string().min(1);
const amountText = z.string().regex(/^(?:0|[1-9]\d*)(?:\.\d+)?$/);
const currencyCode = z.string().regex(CURRENCY_CODE);
const countryCode = z.string().regex(COUNTRY_CODE);

const bankAccountSchema = z.strictObject({
  country: countryCode,
  currency: currencyCode,
  bankName: text,
  bankAccountHolderName: text,
  address: text.optional(),
  accountNumber: text.optional(),
  iban: text.optional(),
  bicSwift: text.optional(),
  aba: text.optional(),
  sortCode: text.optional(),
  bsbCode: text.optional(),
  ifscCode: text.optional(),
  clabe: text.optional(),
  cnaps: text.optional(),
  bankCode: text.optional(),
  branchCode: text.optional(),
  institutionNo: text.optional(),
});

const intermediaryBankSchema = z.strictObject({
  bankName: text.optional(),
  accountNumber: text.optional(),
  address: text.optional(),
  bicSwift: text.optional(),
});

/** The request body that creates a beneficiary, with only the given fields. Contract: payments 2.1 and 4.1. */
export const beneficiaryDetailsSchema = z.strictObject({
  entityType: z.enum(ENTITY_TYPES),
  country: countryCode,
  companyName: text.optional(),
  businessRegistration: text.optional(),
  firstName: text.optional(),
  lastName: text.optional(),
  nationalIdentificationNumber: text.optional(),
  address: text.optional(),
  city: text.optional(),
  postcode: text.optional(),
  stateOrProvince: text.optional(),
  region: text.optional(),
  relationship: text.optional(),
  nickname: text.optional(),
  email: text.optional(),
  type: text.optional(),
  bankAccount: bankAccountSchema,
  intermediaryBank: intermediaryBankSchema.optional(),
});

/**
 * Everything needed to pay one valid row. Contract: payments 2.5 and 2.6. The amount is a decimal string with the
 * decimal places of the currency on the `amountSide`. Personal data: stored only in the database, never in a workflow or
 * a log.
 */
export const paymentInstructionSchema = z.strictObject({
  rowRef: z.string().regex(ROW_REF),
  line: z.int().min(1),
  amount: amountText,
  amountSide: z.enum(AMOUNT_SIDES),
  sellCurrency: currencyCode,
  buyCurrency: currencyCode,
  paymentReference: text,
  purposeOfTransfer: text,
  purposeDescription: text.nullable(),
  fundingSource: z.enum(FUNDING_SOURCES),
  fundingMethod: z.enum(FUNDING_METHODS),
  fundingBankAccountNumber: z.string().regex(/^\d+$/).nullable(),
  fundingCountry: countryCode.nullable(),
  paymentChannel: z.enum(PAYMENT_CHANNELS).nullable(),
  senderUserId: text.nullable(),
  supportingFiles: z.array(text),
  payOn: z.iso.date().nullable(),
  echo: text.nullable(),
  beneficiary: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('existing'), beneficiaryId: text }),
    z.strictObject({ kind: z.literal('details'), details: beneficiaryDetailsSchema }),
  ]),
});

export type PaymentInstruction = z.infer<typeof paymentInstructionSchema>;
export type BeneficiaryDetails = z.infer<typeof beneficiaryDetailsSchema>;
