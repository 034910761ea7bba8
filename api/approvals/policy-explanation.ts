import { z } from 'zod';
import { CURRENCY_CODE } from '../../domain/payment-file/payment-codes.ts';
import { amount, flagInQuery, person } from '../fields.ts';

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
  newBeneficiary: flagInQuery.describe('Whether an account is paid for the first time, or by another route.'),
  countries: z
    .string()
    .regex(/^[A-Z]{2}(,[A-Z]{2})*$/, 'give country codes, as DE,FR')
    .optional()
    .describe('Of the banks that are paid, separated by commas; absent: not known.'),
  at: z.iso.datetime({ offset: true }).optional().describe('When it is decided on; absent: now.'),
  maker: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('The login of who would submit it; absent: nobody is left out.'),
});
export type PolicyQuestion = z.infer<typeof policyQuestion>;

const ruleOfCurrency = {
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
};

const stepsSchema = z.array(
  z.object({
    step: z.int(),
    role: z.string().nullable(),
    logins: z.array(z.string()).nullable(),
    people: z.array(person).describe('Who could take it now. Each person counts once.'),
  }),
);

export const policyExplanationSchema = z
  .object({ ...ruleOfCurrency, steps: stepsSchema, needsSecondFactor: z.boolean() })
  .meta({ id: 'PolicyExplanation', description: 'What a run would need.' });
export type PolicyExplanation = z.infer<typeof policyExplanationSchema>;

const limitOfRunSchema = z
  .object({
    scope: z
      .enum(['all', 'maker', 'beneficiary'])
      .describe('Of everything, of the maker of the run, of one bank account.'),
    period: z.enum(['day', 'week']),
    currency: z.string().describe('That of the amounts.'),
    allowed: amount,
    used: amount.nullable().describe('What is approved in this day or week; null: a currency has no reference rate.'),
    asked: amount.nullable().describe('What the run would add.'),
    rowRef: z.string().nullable().describe('Of a beneficiary: the first row to the one that comes closest.'),
    missingRates: z.array(z.string()).describe('Currencies without a reference rate of the last five days.'),
    isPassed: z.boolean().describe('Whether it keeps the run from being approved now.'),
  })
  .meta({ id: 'LimitOfRun' });

export const runUnderPolicySchema = z
  .object({
    currencies: z.array(z.object({ currency: z.string(), ...ruleOfCurrency })),
    steps: stepsSchema.describe('Those of all its currencies; none: a currency has no rule.'),
    limits: z.array(limitOfRunSchema),
    needsSecondFactor: z.boolean(),
  })
  .meta({ id: 'RunUnderPolicy', description: 'What a policy says of a run.' });
export type RunUnderPolicy = z.infer<typeof runUnderPolicySchema>;
