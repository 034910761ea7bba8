import { z } from 'zod';
import { countryCode, currencyCode, emailAddress, nonEmptyText } from '../calls/request-fields.ts';
import { optionalText, requiredText } from '../calls/answer-fields.ts';

/** The fields of beneficiaries, in requests and answers. Contract: payments 2.1. */

const BANK_CODES = [
  'bicSwift',
  'iban',
  'cnaps',
  'clabe',
  'aba',
  'sortCode',
  'bsbCode',
  'bankCode',
  'branchCode',
  'institutionNo',
  'ifscCode',
] as const;

type BankCode = (typeof BANK_CODES)[number];

function eachBankCode<Field extends z.ZodType>(field: Field): Record<BankCode, Field> {
  return Object.fromEntries(BANK_CODES.map((code) => [code, field])) as Record<BankCode, Field>;
}

const bankAccountAnswer = z.looseObject({
  country: optionalText,
  currency: optionalText,
  bankName: optionalText,
  bankAccountHolderName: optionalText,
  address: optionalText,
  accountNumber: optionalText,
  ...eachBankCode(optionalText),
});

export const beneficiaryAnswer = z.looseObject({
  beneficiaryId: requiredText,
  nickname: optionalText,
  email: optionalText,
  country: optionalText,
  entityType: optionalText,
  type: optionalText,
  city: optionalText,
  address: optionalText,
  postcode: optionalText,
  stateOrProvince: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  companyName: optionalText,
  businessRegistration: optionalText,
  nationalIdentificationNumber: optionalText,
  region: optionalText,
  relationship: optionalText,
  bankAccount: bankAccountAnswer.nullish().transform((account) => account ?? null),
});
/** A beneficiary as the provider has it: null for fields without a value. */
export type Beneficiary = z.output<typeof beneficiaryAnswer>;

const optionalField = nonEmptyText.optional();

const bankAccountRequest = z.strictObject({
  country: countryCode,
  currency: currencyCode,
  bankName: nonEmptyText,
  bankAccountHolderName: nonEmptyText,
  address: optionalField,
  accountNumber: optionalField,
  ...eachBankCode(optionalField),
});

/** The requirements call tells which optional fields are required. Absent fields are not sent. */
export const beneficiaryRequest = z.strictObject({
  nickname: optionalField,
  email: emailAddress.optional(),
  country: countryCode,
  entityType: z.enum(['company', 'individual'], 'give company or individual'),
  type: optionalField,
  city: optionalField,
  address: optionalField,
  postcode: optionalField,
  stateOrProvince: optionalField,
  firstName: optionalField,
  lastName: optionalField,
  companyName: optionalField,
  businessRegistration: optionalField,
  nationalIdentificationNumber: optionalField,
  region: nonEmptyText.nullable().optional(),
  relationship: optionalField,
  bankAccount: bankAccountRequest,
  intermediaryBank: z
    .strictObject({
      bankName: optionalField,
      accountNumber: optionalField,
      address: optionalField,
      bicSwift: optionalField,
    })
    .optional(),
});
export type NewBeneficiary = z.input<typeof beneficiaryRequest>;
