import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { RUN_STATES } from '../../domain/runs/run-state.ts';
import { accountSchema, rowMarkSchema } from './review.ts';

const amount = z.string().describe('A decimal string at the decimals of the currency.');
export const instant = z.string().describe('ISO 8601, UTC.');
export const person = z.object({ userId: z.string(), name: z.string() });

const currencyTotal = z.object({ currency: z.string(), rows: z.int(), amount });

const proposalSchema = z
  .object({
    rows: z.int(),
    payable: z.int(),
    onHold: z.int().describe('Rows that wait for a person: suspected duplicates and held ones.'),
    totalsByBuyCurrency: z.array(currencyTotal),
    totalsBySellCurrency: z.array(currencyTotal),
    funds: z.array(
      z.object({
        currency: z.string(),
        needed: amount.describe('Fees are not in it.'),
        balance: amount.nullable().describe('Null when the provider could not be asked.'),
        committed: amount.describe('What other approved runs still need of it.'),
      }),
    ),
    requests: z.int().describe('Requests to the provider that the run needs.'),
    durationSeconds: z.number().describe("Seconds of sending at the provider's limit."),
    warnings: z.array(z.string()),
    contentHash: z.string().describe('What an approval is bound to: SHA-256 over every row to be paid, in order.'),
  })
  .meta({ id: 'RunProposal', description: 'What a run would do, shown before anyone approves it.' });

export const stopSchema = z
  .object({
    stopId: z.string(),
    scope: z.enum(['run', 'account', 'all']),
    runId: z.string().nullable(),
    account: z.string().nullable(),
    stoppedBy: person.nullable().describe('Null: at a start of payrun, by whoever started it.'),
    stoppedAt: instant,
    reason: z.string().nullable(),
    liftAskedBy: person.nullable().describe('A checker other than they lifts it.'),
    isCancelled: z.boolean().describe('The run was ended for good.'),
  })
  .meta({ id: 'Stop', description: 'While it holds, nothing new is sent.' });

export const runSchema = z
  .object({
    runId: z.string(),
    account: z.string(),
    fileName: z.string(),
    state: z.enum(RUN_STATES),
    stateReason: z.string().nullable(),
    rowCount: z.int(),
    rows: z.partialRecord(z.enum(PAYMENT_STATES), z.int()).describe('Rows by state; states without rows are left out.'),
    proposal: proposalSchema.nullable(),
    submittedBy: person,
    submittedAt: instant,
    decidedBy: person.nullable(),
    decisionComment: z
      .string()
      .nullable()
      .describe('What they, or whoever withdrew the run, wrote with it; null: nothing, or it was erased.'),
    decidedAt: instant.nullable(),
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    ratePerSecond: z.number().describe('Payments that were funded or ended in the last half minute, by the second.'),
    secondsLeft: z.number().nullable().describe('Seconds until every row is sent; null unless the run is under way.'),
    stops: z.array(stopSchema).describe('Stops that keep it from being paid.'),
  })
  .meta({ id: 'Run', description: 'A payment run.' });

export const rowSchema = z
  .object({
    paymentId: z.string(),
    line: z.int().describe('Line of the input file, from 1.'),
    rowRef: z.string(),
    state: z.enum(PAYMENT_STATES),
    attempt: z.int(),
    beneficiary: z.string().nullable().describe("The account's holder, or the provider's id of the beneficiary."),
    beneficiaryName: z.string().nullable().describe('Null where it is not known.'),
    beneficiaryId: z.string().nullable().describe('Where the row names the beneficiary by it.'),
    sellCurrency: z.string().nullable(),
    sellAmount: amount.nullable(),
    buyCurrency: z.string().nullable(),
    buyAmount: amount.nullable(),
    payOn: z.string().nullable().describe('YYYY-MM-DD: not before this day.'),
    account: accountSchema.nullable().describe('Null: not known, or masked.'),
    country: z.string().nullable().describe('Of the bank.'),
    reference: z.string().nullable().describe('What the beneficiary reads on the statement.'),
    purpose: z.string().nullable().describe('A code.'),
    purposeDescription: z.string().nullable(),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .describe('What else the row is paid by, by the names of its columns; null: masked, or not readable.'),
    files: z.array(z.string()).nullable().describe('Names of the supporting files; null: masked.'),
    marks: z.array(rowMarkSchema).describe('What stands out of the row.'),
    isMasked: z
      .boolean()
      .describe(
        'Account, country, reference, purpose, settings, files and errorMessage need the permission read_instructions.',
      ),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
  })
  .meta({ id: 'Row', description: 'One row of a run, and what became of it.' });

export const problemSchema = z
  .object({
    line: z.int().describe('From 1; 0 when the trouble lies in what was given beside the file.'),
    rowRef: z.string().nullable(),
    column: z.string().nullable().describe('Null: the whole line.'),
    value: z.string().nullable(),
    problem: z.string(),
    fix: z.string(),
    code: z.string(),
  })
  .meta({ id: 'RowProblem', description: 'One thing that is wrong with a payment file, and its fix.' });

/** Run ids as they may stand in an address: what is none must not reach a query. */
export const runIdSchema = z.guid('is not a run id, such as 018f2a00-0000-7000-8000-000000000001').toLowerCase();
export const runParams = z.object({ runId: runIdSchema });

/** A whole number in a query, where everything is text. */
export function countInQuery(least: number, most: number, otherwise: number): z.ZodType<number> {
  return z.coerce.number('must be a whole number').int().min(least).max(most).default(otherwise);
}
