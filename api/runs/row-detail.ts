import { z } from 'zod';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { instant, person } from '../fields.ts';
import { manualOutcomeSchema } from '../payments/manual-outcome.ts';
import { rowSummarySchema } from './row.ts';
import { runDecisionSchema } from './run-decision.ts';

const requestSchema = z.object({
  operation: z.string().describe('`quote`, `create` or `fund`.'),
  attempt: z.int(),
  begunAt: instant,
  answeredAt: instant.nullable(),
  httpStatus: z.int().nullable(),
  outcome: z
    .string()
    .describe('`took_effect`, `refused`, `not_sent` (proof), `not_seen` (it may still come), or `unknown`.'),
});
export type RowRequest = z.infer<typeof requestSchema>;

const lookupSchema = z.object({
  request: z.enum(['by_reference', 'by_id']),
  result: z.string().describe("`nothing`, `only_others`, `several`, or the provider's status of the payment."),
  times: z.int(),
  firstAt: instant,
  lastAt: instant,
});
export type RowLookup = z.infer<typeof lookupSchema>;

const rowWebhookSchema = z
  .object({
    status: z.string().nullable().describe('What it says; null: nothing that can be read.'),
    times: z.int().describe('How often the same one came.'),
    firstReceivedAt: instant,
    lastReceivedAt: instant,
  })
  .meta({ id: 'RowWebhook', description: 'A webhook about the payment: unsigned, so a reason to read, and no proof.' });
export type RowWebhook = z.infer<typeof rowWebhookSchema>;

const similarRowSchema = rowSummarySchema
  .pick({
    line: true,
    rowRef: true,
    state: true,
    beneficiary: true,
    beneficiaryName: true,
    bankAccount: true,
    sellCurrency: true,
    sellAmount: true,
    buyCurrency: true,
    buyAmount: true,
    expected: true,
    reference: true,
    payOn: true,
  })
  .extend({
    runId: z.string(),
    fileName: z.string(),
    submittedAt: instant,
    paidAt: instant.nullable().describe('When the provider had paid it; null: it is not paid.'),
  })
  .meta({ id: 'SimilarRow', description: 'Bank accounts need the permission read_instructions.' });
export type SimilarRow = z.infer<typeof similarRowSchema>;

const similarRowsSchema = z
  .object({
    rows: z
      .array(similarRowSchema)
      .describe('The first submitted first: 100 at most, and none of an account that the user may not use.'),
    rowCount: z.int().describe('All of them, in whichever account.'),
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
    asSubmitted: z
      .array(z.object({ header: z.string(), text: z.string() }))
      .nullable()
      .describe(
        'Of an invalid row, of which nothing else is known: its cells with something in them. Null of others, and without read_instructions.',
      ),
    referenceId: z
      .string()
      .nullable()
      .describe('Reference that the provider was given; null before a creation was tried.'),
    providerPaymentId: z.string().nullable(),
    providerStatus: z.string().nullable(),
    lastShownAt: instant.nullable().describe('When a read last showed it.'),
    requests: z.array(requestSchema).describe('Requests in the order in which they were sent.'),
    lookups: z.array(lookupSchema),
    manualOutcomes: z.array(manualOutcomeSchema).describe('The oldest first; at most one is `proposed`.'),
    decisions: z
      .array(runDecisionSchema)
      .describe(
        'On the run, the oldest first. Empty for a row that no approval covers: an invalid one, a suspected duplicate.',
      ),
    webhooks: z.array(rowWebhookSchema).describe('The newest 50, the oldest of them first.'),
    endedAt: instant.nullable().describe('When it was known how the payment ended; null: it has not ended.'),
    similar: similarRowsSchema.nullable().describe('Rows that a suspected duplicate may pay a second time.'),
    release: releaseSchema.nullable(),
  })
  .meta({ id: 'RowDetail', description: 'One row, with the evidence of what became of it.' });
export type RowDetail = z.infer<typeof rowDetailSchema>;

export const actionableRowSchema = rowDetailSchema
  .extend({
    allowedActions: allowedActionsSchema,
    workflowUrl: z
      .string()
      .nullable()
      .describe("The payment's workflow in Temporal's own interface; null: its address is not configured."),
  })
  .meta({ id: 'ActionableRow', description: 'One row with its evidence, and what the acting user may do with it.' });
export type ActionableRow = z.infer<typeof actionableRowSchema>;
