import { z } from 'zod';
import { rootFields } from '../corridors/beneficiary-fields.ts';
import { bankFields } from '../corridors/corridor.ts';
import { currencyCode, id, listedCountry, textOf, withExample } from './field-types.ts';

/** The maximum length of the fields, which keeps pattern matching fast for any input. */
const optionalText = textOf(0, 300).nullish();
const requiredText = textOf(1, 300);

const fieldsOf = <Field extends string, Schema>(fields: readonly Field[], schema: Schema): Record<Field, Schema> =>
  Object.fromEntries(fields.map((field) => [field, schema])) as Record<Field, Schema>;

const intermediaryFields = ['bankName', 'accountNumber', 'address', 'bicSwift'] as const;

/** Contract: payments 2.1. */
export const beneficiaryBody = withExample(
  z.object({
    nickname: optionalText,
    email: optionalText,
    country: requiredText,
    entityType: z.enum(['company', 'individual']),
    type: z.literal('bank').nullish(),
    ...fieldsOf(rootFields, optionalText),
    bankAccount: z.object({
      country: requiredText,
      currency: requiredText,
      bankName: requiredText,
      bankAccountHolderName: requiredText,
      ...fieldsOf(bankFields, optionalText),
    }),
    intermediaryBank: z.object(fieldsOf(intermediaryFields, optionalText)).nullish(),
  }),
  {
    country: 'DE',
    entityType: 'company',
    companyName: 'Beispiel GmbH',
    bankAccount: {
      country: 'DE',
      currency: 'EUR',
      bankName: 'Beispielbank',
      bankAccountHolderName: 'Beispiel GmbH',
      iban: 'DE89370400440532013000',
    },
  },
);

const textOrNull = z.string().nullable();

/** A beneficiary in answers: every field, null when unused. */
export const beneficiarySchema = z.object({
  beneficiaryId: id,
  nickname: z.string(),
  email: textOrNull,
  country: listedCountry,
  entityType: z.enum(['company', 'individual']),
  type: z.literal('bank'),
  ...fieldsOf(rootFields, textOrNull),
  bankAccount: z.object({
    country: listedCountry,
    currency: currencyCode,
    bankName: z.string(),
    bankAccountHolderName: z.string(),
    ...fieldsOf(bankFields, textOrNull),
  }),
  intermediaryBank: z.object(fieldsOf(intermediaryFields, textOrNull)).nullable(),
});

const pattern = z.string().describe('A regular expression for the whole value');

export const requirementsSchema = z
  .object({
    entityType: z.string().describe('company or individual, or a pattern'),
    bankAccount: z.record(z.string(), pattern),
  })
  .catchall(z.unknown())
  .describe('Besides these, a pattern for every required field');
