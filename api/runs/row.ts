import { z } from 'zod';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { amount, countInQuery, flagInQuery, plainText } from '../fields.ts';
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
    expected: z
      .object({
        sells: amount.nullable().describe('What is sold, without fees.'),
        buys: amount.nullable(),
        fees: amount.nullable().describe('In the currency sold.'),
      })
      .describe('What it is expected to cost by the indicative prices of the proposal; null: there is no price.'),
    payOn: z.string().nullable().describe('YYYY-MM-DD: not before this day.'),
    bankAccount: accountSchema.nullable().describe('Null: not known, or masked.'),
    country: z.string().nullable().describe('Country of the bank.'),
    reference: z.string().nullable().describe('What the beneficiary reads on the statement.'),
    purpose: z.string().nullable().describe('A code.'),
    purposeDescription: z.string().nullable(),
    delivery: z
      .object({
        by: z.string().describe('The system by which banks pay each other.'),
        name: z.string(),
        nameCut: z.string().describe('What is cut off its end; empty: nothing.'),
        reference: z.string(),
        referenceCut: z.string(),
        lost: z.string().describe('Letters that nothing stands for.'),
      })
      .nullable()
      .describe('What the payee will read; null: masked, or the rules of the system are not known.'),
    settings: z
      .record(z.string(), z.string())
      .nullable()
      .describe('How the row is paid besides, by column name; null: masked, or not readable.'),
    files: z.array(z.string()).nullable().describe('Names of the supporting files; null: masked.'),
    marks: z
      .array(rowMarkSchema)
      .nullable()
      .describe('Findings of the review about the row; null: not known yet, which only `marks=if_known` allows.'),
    isMasked: z
      .boolean()
      .describe(
        'Beneficiary, bank account, country, reference, purpose, delivery, settings, files and errorMessage need the permission read_instructions.',
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

/** A row by its line: a `row_ref` may repeat among invalid rows. */
export const rowLineParams = z.object({ runId, line: countInQuery(1, 999_999_999, 1) });

export const ROW_SORTS = ['line', 'state', 'amount'] as const;
export type RowSort = (typeof ROW_SORTS)[number];

const cursor = z
  .string()
  .max(2000)
  .regex(/^[A-Za-z0-9_-]+$/, 'is not `next` of a page')
  .nullable()
  .default(null);

/** Rows of a state, or with a text in them, are counted up to here: a filtered count must not take longer than a page. */
export const ROW_COUNT_LIMIT = 10_000;

export const rowSearch = {
  q: plainText(100)
    .nullable()
    .default(null)
    .describe('Only rows with this reference or line, with all these words in the name, or of exactly this amount.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'give a currency code, as "EUR"')
    .nullable()
    .default(null)
    .describe('Only rows that fix an amount of this currency.'),
};

export const rowListQuery = z
  .object({
    limit: countInQuery(1, 1000, 200),
    afterLine: countInQuery(0, 999_999_999, 0),
    state: paymentStateSchema.nullable().default(null).describe('Only rows in this state.'),
    ...rowSearch,
    mark: rowMarkSchema.nullable().default(null).describe('Only rows with this finding. It needs read_instructions.'),
    finding: z
      .string()
      .max(60)
      .regex(/^[a-z_]+:\d+(:\d+)?$/, 'give the id of a finding, as "account_changed:12"')
      .nullable()
      .default(null)
      .describe(
        'Only the rows of this finding of the review, by its id; none if there is no such finding any more. It takes precedence over ' +
          '`mark`, and needs read_instructions.',
      ),
    marks: z
      .enum(['wait', 'if_known'])
      .default('wait')
      .describe(
        'What stands out in all rows of a run is computed when it is first asked for. `if_known` does not wait for that with ' +
          'very many rows: then `marks` of the rows is null, and is there some seconds later.',
      ),
    sort: z.enum(ROW_SORTS).default('line').describe('`amount` needs a currency.'),
    order: z.enum(['asc', 'desc']).default('asc'),
    from: countInQuery(0, 999_999_999, 0).describe('Position of the first row in this order, from 0.'),
    after: cursor.describe(
      '`next` of the page before: faster than a position far down. It takes precedence over `from`.',
    ),
    count: flagInQuery.describe('Whether to count the rows that are shown by the filters.'),
  })
  .refine(({ sort, currency }) => sort !== 'amount' || currency !== null, {
    path: ['currency'],
    error: 'name a currency to sort by amount: amounts of several have no order',
  });
export type RowListQuery = z.output<typeof rowListQuery>;

const rowTotalSchema = z.object({
  count: z.int(),
  hasMore: z.boolean().describe('There are more than this.'),
});

export const rowPageSchema = z.object({
  rows: z.array(rowSummarySchema),
  nextAfterLine: z
    .int()
    .nullable()
    .describe('`afterLine` of the next page in the order of the lines; null: this is the last, or in another order.'),
  next: z.string().nullable().describe('`after` of the next page; null: this is the last.'),
  total: rowTotalSchema.nullable().describe('Null unless `count` is true.'),
});
export type RowListPage = z.infer<typeof rowPageSchema>;
