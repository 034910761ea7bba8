import { z } from 'zod';
import { ROW_MARKS } from '../../domain/runs/run-finding.ts';
import { amount, instant, person } from '../fields.ts';
import { currencyTotalSchema } from '../runs/run.ts';
import { allowedActionsSchema } from './allowed-actions.ts';

/** What somebody who decides on a run sees beside its proposal and its review. */

const comparedRunSchema = z
  .object({
    runId: z.string(),
    fileName: z.string(),
    submittedAt: instant,
    payable: z.int(),
    totals: z.array(currencyTotalSchema).describe('Sums of the rows, by the currency that they fix.'),
  })
  .meta({ id: 'ComparedRun' });

const largestRowSchema = z.object({
  line: z.int(),
  rowRef: z.string(),
  beneficiary: z
    .string()
    .nullable()
    .describe("The account's holder, or the provider's id of the beneficiary. It needs read_instructions."),
  amount,
});

const largestRowsSchema = z
  .object({
    ...currencyTotalSchema.pick({ currency: true, side: true }).shape,
    rows: z.array(largestRowSchema).describe('The largest ten.'),
    amount: amount.describe('Sum of these rows.'),
    total: amount.describe('Sum of all rows to be paid in this currency.'),
    sharePercent: z.string().describe('Share of these rows in the total, with one decimal.'),
  })
  .meta({ id: 'LargestRows' });

const approvalStepSchema = z
  .object({
    step: z.int().describe('Number of the step, from 1.'),
    role: z.string().nullable().describe('Role of the approver by the policy; null: users are named.'),
    logins: z.array(z.string()).nullable().describe('The only users who may take it; null: everybody with the role.'),
    takenBy: person.nullable(),
    actsFor: person.nullable().describe('For whom a deputy took it; null: nobody did so.'),
    takenAt: instant.nullable(),
    eligibleApprovers: z.array(person).describe('Who could still take it, at most 20; none once it is taken.'),
    eligibleApproverCount: z.int(),
  })
  .meta({ id: 'ApprovalStep' });
export type ApprovalStep = z.infer<typeof approvalStepSchema>;

export const decisionFactsSchema = z
  .object({
    runId: z.string(),
    contentHash: z.string().nullable().describe('What an approval is bound to; null: the run is still being checked.'),
    maker: person,
    submittedAt: instant,
    fileName: z.string(),
    fileSha256: z.string(),
    rowCount: z.int(),
    payable: z.int(),
    totals: z.array(currencyTotalSchema).describe('Sums of the rows to be paid, by the currency that they fix.'),
    lastComparable: comparedRunSchema
      .nullable()
      .describe('The last paid run of its kind, with what it proposed: see `differences` of the run.'),
    marks: z
      .partialRecord(z.enum(ROW_MARKS), z.int())
      .nullable()
      .describe('Rows by what stands out in them; open them by `mark`. Null: read_instructions is needed.'),
    duplicateSuspects: z.int(),
    held: z.int(),
    largest: z
      .array(largestRowsSchema)
      .describe('Largest rows by currency, the currency with most rows first: at most ten currencies.'),
    files: z.int().describe('Supporting files.'),
    steps: z.array(approvalStepSchema),
    rules: z
      .array(z.object({ currency: z.string(), name: z.string() }))
      .describe('The rule of the policy that each currency falls under, by its name.'),
    isCovered: z.boolean().describe('False: no rule of the policy covers the run, so that nobody can approve it.'),
    canBeApproved: z.boolean().describe('Whether the people who could take the open steps are enough.'),
    waitingSince: instant.nullable().describe('When the run began to wait for a decision; null: it does not wait.'),
    expiresAt: instant.nullable().describe('When it expires, unless somebody decides.'),
    allowedActions: allowedActionsSchema,
  })
  .meta({ id: 'DecisionFacts', description: 'What a decision on a run is made on, beside its review.' });
export type DecisionFacts = z.infer<typeof decisionFactsSchema>;
