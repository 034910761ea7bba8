import { z } from 'zod';
import { COUNTRY_CODE, CURRENCY_CODE } from '../../domain/payment-file/payment-codes.ts';

const currency = z.string().regex(CURRENCY_CODE, 'give a currency code, as EUR');

export const corridorTemplateQuery = z.strictObject({
  account: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("The provider's account to pay from. Left out: as for a submission."),
  to: currency.describe('The currency that the beneficiary gets.'),
  from: currency.optional().describe('The currency that you pay from. Left out: USD where it can be sold for it.'),
  country: z
    .string()
    .regex(COUNTRY_CODE, 'give a country code, as DE')
    .optional()
    .describe('The country of the beneficiary and its bank. Left out: that of the currency.'),
});
export type CorridorTemplateQuery = z.output<typeof corridorTemplateQuery>;
