import { z } from 'zod';
import { countryCode, currencyCode, emailAddress, sentText } from '../calls/sent-fields.ts';
import { optionalText, requiredText } from '../calls/wire-fields.ts';

/** A beneficiary on the wire, as sent and as read. Contract: payments 2.1. */

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
/** What the provider holds of a beneficiary: null where it holds nothing. */
export type Beneficiary = z.output<typeof beneficiaryAnswer>;

const unlessEmpty = sentText.optional();

const bankAccountSent = z.strictObject({
  country: countryCode,
  currency: currencyCode,
  bankName: sentText,
  bankAccountHolderName: sentText,
  address: unlessEmpty,
  accountNumber: unlessEmpty,
  ...eachBankCode(unlessEmpty),
});

/** What is conditional is decided by the requirements call, so it is optional here. Absent fields are not sent. */
export const beneficiarySent = z.strictObject({
  nickname: unlessEmpty,
  email: emailAddress.optional(),
  country: countryCode,
  entityType: z.enum(['company', 'individual'], 'give company or individual'),
  type: unlessEmpty,
  city: unlessEmpty,
  address: unlessEmpty,
  postcode: unlessEmpty,
  stateOrProvince: unlessEmpty,
  firstName: unlessEmpty,
  lastName: unlessEmpty,
  companyName: unlessEmpty,
  businessRegistration: unlessEmpty,
  nationalIdentificationNumber: unlessEmpty,
  region: sentText.nullable().optional(),
  relationship: unlessEmpty,
  bankAccount: bankAccountSent,
  intermediaryBank: z
    .strictObject({ bankName: unlessEmpty, accountNumber: unlessEmpty, address: unlessEmpty, bicSwift: unlessEmpty })
    .optional(),
});
export type NewBeneficiary = z.input<typeof beneficiarySent>;
