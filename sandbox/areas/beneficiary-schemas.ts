import { z } from 'zod';
import { rootFields } from '../corridors/beneficiary-fields.ts';
import { bankFields } from '../corridors/corridor.ts';

/** No field of a beneficiary is longer; it keeps patterns quick, whatever is sent. */
const text = z.string().max(300);
const optionalText = text.nullish();
const needed = text.min(1);

const optionalFields = <Field extends string>(fields: readonly Field[]): Record<Field, typeof optionalText> =>
  Object.fromEntries(fields.map((field) => [field, optionalText])) as Record<Field, typeof optionalText>;

const bankAccountBody = z.object({
  country: needed,
  currency: needed,
  bankName: needed,
  bankAccountHolderName: needed,
  ...optionalFields(bankFields),
});

const intermediaryBank = z.object({
  bankName: optionalText,
  accountNumber: optionalText,
  address: optionalText,
  bicSwift: optionalText,
});

/** Contract: payments 2.1. */
export const beneficiaryBody = z.object({
  nickname: optionalText,
  email: optionalText,
  country: needed,
  entityType: z.enum(['company', 'individual']),
  type: z.literal('bank').nullish(),
  ...optionalFields(rootFields),
  bankAccount: bankAccountBody,
  intermediaryBank: intermediaryBank.nullish(),
});

export const beneficiarySchema = beneficiaryBody.extend({
  beneficiaryId: z.string(),
  nickname: z.string(),
  type: z.string(),
});

const pattern = z.string().describe('An anchored regular expression');

export const requirementsSchema = z
  .object({ entityType: z.enum(['company', 'individual']), bankAccount: z.record(z.string(), pattern) })
  .catchall(z.unknown())
  .describe('Beside these, a pattern for every field that is needed');
