import { z } from 'zod';
import { CURRENCY_CODE } from '../../domain/payment-file/payment-codes.ts';
import { flagInQuery, person } from '../fields.ts';

const amountInQuery = z
  .string()
  .regex(/^\d{1,15}(\.\d{1,4})?$/, 'give a plain amount, as 50000.00')
  .describe('A decimal string.');

/** A hypothetical run, in one currency. */
export const policyQuestion = z.object({
  account: z.string().min(1).max(100),
  currency: z.string().regex(CURRENCY_CODE, 'give a currency code, as EUR'),
  total: amountInQuery,
  largest: amountInQuery.optional().describe('The largest row; absent: the total, as of a run of one row.'),
  newBeneficiary: flagInQuery.describe('Whether an account is paid for the first time.'),
  maker: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The login of who would submit it; absent: nobody is left out.'),
});
export type PolicyQuestion = z.infer<typeof policyQuestion>;

export const policyExplanationSchema = z
  .object({
    rule: z.string().nullable().describe('The rule that applies; null: none does, and such a run cannot be approved.'),
    skippedRules: z
      .array(
        z.object({
          rule: z.string(),
          unmetConditions: z
            .array(z.string())
            .describe('The conditions of it that such a run does not meet, by their names.'),
        }),
      )
      .describe('The rules before it, in their order.'),
    steps: z.array(
      z.object({
        step: z.int(),
        role: z.string().nullable(),
        logins: z.array(z.string()).nullable(),
        people: z.array(person).describe('Who could take it now. Each person counts once.'),
      }),
    ),
    needsSecondFactor: z.boolean(),
  })
  .meta({ id: 'PolicyExplanation', description: 'What a run would need.' });
export type PolicyExplanation = z.infer<typeof policyExplanationSchema>;
