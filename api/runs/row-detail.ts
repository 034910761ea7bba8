import { z } from 'zod';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { instant, person } from '../fields.ts';
import { resolutionSchema } from '../payments/resolution.ts';
import { paymentStateSchema, rowSummarySchema } from './row.ts';

const requestSchema = z.object({
  operation: z.string().describe('`quote`, `create` or `fund`.'),
  attempt: z.int(),
  begunAt: instant,
  answeredAt: instant.nullable(),
  httpStatus: z.int().nullable(),
  outcome: z.string().describe('`took_effect`, `had_no_effect`, `refused`, or `unknown`.'),
});
export type RowRequest = z.infer<typeof requestSchema>;

const lookUpSchema = z.object({
  request: z.enum(['find', 'read']),
  result: z.string().describe("`nothing`, `only_others`, `several`, or the provider's status of the payment."),
  times: z.int(),
  firstAt: instant,
  lastAt: instant,
});
export type RowLookUp = z.infer<typeof lookUpSchema>;

const similarRowsSchema = z
  .object({
    rows: z
      .array(
        z.object({
          runId: z.string(),
          fileName: z.string(),
          line: z.int(),
          rowRef: z.string(),
          state: paymentStateSchema,
          submittedAt: instant,
        }),
      )
      .describe('The first submitted first: 100 at most.'),
    rowCount: z.int(),
    hash: z.string().describe('Over all of them: a release applies to the rows that were seen.'),
  })
  .meta({ id: 'SimilarRows', description: 'Rows that pay the same to the same account, or have the same reference.' });
export type SimilarRows = z.infer<typeof similarRowsSchema>;

const releaseSchema = z
  .object({ by: person, reason: z.string().nullable().describe('Null: it was erased.'), at: instant })
  .meta({ id: 'RowRelease', description: 'Who let a suspected duplicate be paid, and why.' });
export type RowRelease = z.infer<typeof releaseSchema>;

export const rowDetailSchema = rowSummarySchema
  .extend({
    instruction: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('All that an approval of the row covers. Null of an invalid row, and without read_instructions.'),
    referenceId: z
      .string()
      .nullable()
      .describe('Reference that the provider was given; null before a creation was tried.'),
    providerPaymentId: z.string().nullable(),
    providerStatus: z.string().nullable(),
    lastShownAt: instant.nullable().describe('When a read or a sweep last showed it.'),
    requests: z.array(requestSchema).describe('Requests in the order in which they were sent.'),
    lookUps: z.array(lookUpSchema),
    resolutions: z.array(resolutionSchema).describe('The oldest first; at most one is `proposed`.'),
    similar: similarRowsSchema.nullable().describe('Rows that a suspected duplicate may pay a second time.'),
    release: releaseSchema.nullable(),
  })
  .meta({ id: 'RowDetail', description: 'One row, with the evidence of what became of it.' });
export type RowDetail = z.infer<typeof rowDetailSchema>;

export const actionableRowSchema = rowDetailSchema
  .extend({ allowedActions: allowedActionsSchema })
  .meta({ id: 'ActionableRow', description: 'One row with its evidence, and what the acting user may do with it.' });
export type ActionableRow = z.infer<typeof actionableRowSchema>;
