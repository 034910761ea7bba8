import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { amount, countInQuery } from '../fields.ts';
import { accountSchema, rowMarkSchema } from './review.ts';
import { runId } from './run.ts';

export const paymentStateSchema = z.enum(PAYMENT_STATES);
export type PaymentState = z.infer<typeof paymentStateSchema>;

export const rowSummarySchema = z
  .object({
    paymentId: z.string(),
    line: z.int().describe('Line of the input file, from 1.'),
    rowRef: z.string(),
    state: paymentStateSchema,
    attempt: z.int(),
    beneficiary: z.string().nullable().describe("The account's holder, or the provider's id of the beneficiary."),
    beneficiaryName: z.string().nullable().describe('Null where it is not known.'),
    beneficiaryId: z.string().nullable().describe('Where the row names the beneficiary by it.'),
    sellCurrency: z.string().nullable(),
    sellAmount: amount.nullable(),
    buyCurrency: z.string().nullable(),
    buyAmount: amount.nullable(),
    payOn: z.string().nullable().describe('YYYY-MM-DD: not before this day.'),
    bankAccount: accountSchema.nullable().describe('Null: not known, or masked.'),
    country: z.string().nullable().describe('Of the bank.'),
    reference: z.string().nullable().describe('What the beneficiary reads on the statement.'),
    purpose: z.string().nullable().describe('A code.'),
    purposeDescription: z.string().nullable(),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .describe('How the row is paid besides, by column name; null: masked, or not readable.'),
    files: z.array(z.string()).nullable().describe('Names of the supporting files; null: masked.'),
    marks: z.array(rowMarkSchema).describe('Findings of the review about the row.'),
    isMasked: z
      .boolean()
      .describe(
        'Bank account, country, reference, purpose, settings, files and errorMessage need the permission read_instructions.',
      ),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    returnedAmount: amount
      .nullable()
      .describe('What came back of it, in `sellCurrency`, as the history of the balance shows; null: nothing.'),
    returnedAt: z.string().nullable().describe('ISO 8601, UTC: the date of what came back last.'),
  })
  .meta({ id: 'Row', description: 'One row of a run, and what became of it.' });
export type RowSummary = z.infer<typeof rowSummarySchema>;

export const rowParams = z.object({ runId, rowRef: z.string().min(1) });
export type RowKey = z.infer<typeof rowParams>;

export const rowListQuery = z.object({
  limit: countInQuery(1, 1000, 200),
  afterLine: countInQuery(0, 999_999_999, 0),
  state: paymentStateSchema.nullable().default(null).describe('Only rows in this state.'),
});
export type RowListQuery = z.infer<typeof rowListQuery>;

export const rowPageSchema = z.object({
  rows: z.array(rowSummarySchema),
  nextAfterLine: z.int().nullable().describe('`afterLine` of the next page; null: this is the last.'),
});
