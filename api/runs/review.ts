import { z } from 'zod';
import type { ShownAccount as DomainShownAccount } from '../../domain/beneficiaries/known-beneficiary.ts';
import {
  FINDING_KINDS,
  ROW_MARKS,
  type RunReview as DomainRunReview,
  UNKNOWN_REASONS,
} from '../../domain/runs/run-finding.ts';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { amount, day, instant } from '../fields.ts';

const text = z.string().nullable();

const findingKindSchema = z.enum(FINDING_KINDS);
export type FindingKind = z.infer<typeof findingKindSchema>;

export const rowMarkSchema = z.enum(ROW_MARKS);
export type RowMark = z.infer<typeof rowMarkSchema>;

export const accountSchema = z
  .object({
    iban: text,
    accountNumber: text.describe('The number of an account without IBAN; a CLABE among them.'),
    bankCode: text.describe('Codes of bank and branch in words: `BIC COBADEFF, sort code 200000`.'),
    bankName: text,
    holder: text.describe('Name of the account holder, as sent to the bank.'),
    country: text.describe('Country of the bank: ISO 3166-1 alpha-2.'),
    intermediaryBank: text,
  })
  .meta({
    id: 'BankAccount',
    description: 'Each field is null where it is not known.',
  }) satisfies z.ZodType<DomainShownAccount>;
export type ShownAccount = z.infer<typeof accountSchema>;

const rows = z.array(z.string()).describe('References of rows: the first 100.');
const id = z
  .string()
  .describe(
    "Names the finding in its run; open its rows by `finding`. It is its kind and its first row's line: `account_changed:12`.",
  );
const foundRows = {
  id,
  rows,
  rowCount: z.int(),
  amounts: z.array(z.object({ currency: z.string(), amount })).describe('Sums of the rows, by the currency they fix.'),
};

const earlierRun = z.object({
  runId: z.string(),
  fileName: z.string(),
  submittedAt: instant,
  submittedBy: z.string(),
});

const paidEarlier = {
  name: z.string(),
  earlier: z
    .array(
      z.object({
        runId: z.string(),
        fileName: text.describe('Null: it is in this run.'),
        rowRef: z.string(),
        account: z.string().describe('The account with the provider.'),
        currency: z.string(),
        amount,
        state: z.enum(PAYMENT_STATES),
        reference: text.describe('Null: it was erased.'),
        paidOn: day.nullable().describe('Null: its money has not left.'),
      }),
    )
    .describe('Rows that pay the same, or nearly: the latest ten, the latest first.'),
  earlierCount: z.int().describe('How many there are. Eleven may be more.'),
  ...foundRows,
};

const findingSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('file_submitted_before'),
      runs: z
        .array(earlierRun)
        .describe('Earlier runs of the account with the same file: the latest ten, the latest first.'),
      runCount: z.int(),
    }),
    z.object({
      kind: z.literal('split_below_rule'),
      currency: z.string(),
      rule: z.string().nullable().describe('Of the policy, for this run. Null: none covers it.'),
      ruleTogether: z.string().nullable().describe('The same, if all of it were one run.'),
      total: amount,
      runs: z.array(earlierRun).describe('Other runs of its maker: the latest ten, the latest first.'),
      runCount: z.int(),
    }),
    z.object({
      kind: z.literal('new_profile'),
      name: z.string(),
      hash: z.string().describe('Its first 12 letters.'),
      isChange: z
        .boolean()
        .describe('It takes the place of one that was approved for the same headers: what differs is listed alone.'),
      columns: z
        .array(z.object({ column: z.string(), from: z.string().nullable(), before: z.string().nullable() }))
        .describe(
          'What fills each column of the beneficiary, the bank and the amount; of a change, each that differs, and what differs in the ' +
            'forms and the file. Null: nothing. Empty: it cannot be read.',
        ),
      amounts: z.string().nullable().describe('How 1234.56 is written. Null: nothing says it, or it is as before.'),
    }),
    z.object({
      kind: z.literal('file_notes'),
      notes: z.array(z.object({ line: z.int(), problem: z.string() })).describe('The first hundred.'),
      noteCount: z.int(),
    }),
    z.object({
      kind: z.literal('account_changed'),
      name: z.string(),
      from: accountSchema
        .nullable()
        .describe('The other account that was paid last under this name, or approved to be paid.'),
      fromCount: z.int().describe('How many other accounts were paid under this name.'),
      to: accountSchema,
      isOtherCountry: z.boolean(),
      lastPaidOn: day.nullable().describe('Null: it was approved to be paid, and is not yet.'),
      ...foundRows,
    }),
    z.object({
      kind: z.literal('look_alike'),
      name: z.string(),
      account: accountSchema,
      like: z.string().describe('The name that it looks like.'),
      likeAccount: accountSchema.nullable().describe('The account of that name.'),
      lastPaidOn: day
        .nullable()
        .describe(
          'When that name was last paid. Null: it is in this run or in the book, or was approved and is not paid yet.',
        ),
      likeRow: z.string().nullable().describe('The row of this run with that name. Null: the name is not of this run.'),
      likeKey: z
        .string()
        .nullable()
        .describe('The key in the book of beneficiaries, if the name is there and was never paid.'),
      ...foundRows,
    }),
    z.object({ kind: z.literal('names_not_compared'), ...foundRows }),
    z.object({
      kind: z.literal('routing_changed'),
      name: z.string(),
      from: accountSchema.nullable().describe('Bank details of the last payment.'),
      to: accountSchema,
      lastPaidOn: day,
      ...foundRows,
    }),
    z.object({
      kind: z.literal('account_has_other_names'),
      account: accountSchema,
      names: z
        .array(z.object({ name: z.string(), rows, rowCount: z.int() }))
        .describe('Names in this run: the first 100.'),
      nameCount: z.int(),
      paidBefore: z
        .object({ names: z.array(z.string()), nameCount: z.int(), lastPaidOn: day })
        .nullable()
        .describe('The names that were paid there before, the latest first; null: nothing was.'),
      ...foundRows,
    }),
    z.object({ kind: z.literal('invoice_paid_before'), ...paidEarlier }),
    z.object({ kind: z.literal('similar_payment'), ...paidEarlier }),
    z.object({
      kind: z.literal('released_duplicate'),
      name: z.string(),
      releasedBy: z.string(),
      reason: text.describe('Null: it was erased.'),
      ...foundRows,
    }),
    z.object({
      kind: z.literal('details_unknown'),
      beneficiaryId: z.string(),
      reason: z.enum(UNKNOWN_REASONS),
      ...foundRows,
    }),
    z.object({
      kind: z.literal('unusual_amount'),
      name: z.string(),
      largestBefore: amount.describe('The largest of the last 12 amounts that the beneficiary got in this currency.'),
      ...foundRows,
    }),
    z.object({
      kind: z.literal('check_warning'),
      code: z.string().describe('Code of the warning. A later version may have others.'),
      column: text.describe('Null: the whole line.'),
      problem: z.string(),
      fix: z.string(),
      cells: z
        .array(z.object({ line: z.int(), rowRef: text, value: text }))
        .describe('What it is about: the first 100, in the order of the file.'),
      ...foundRows,
    }),
    z.object({ kind: z.literal('row_unreadable'), ...foundRows }),
    z.object({ kind: z.literal('failed_before'), ...foundRows }),
    z.object({ kind: z.literal('new_beneficiary'), name: z.string(), account: accountSchema, ...foundRows }),
    z.object({ kind: z.literal('pays_later'), id, day, rowCount: z.int() }),
  ])
  .meta({ id: 'RunFinding' });
export type RunFinding = z.infer<typeof findingSchema>;

export const reviewSchema = z
  .object({
    contentHash: z.string().describe('What the findings are about, and what an approval is bound to.'),
    findings: z
      .array(findingSchema)
      .describe('Findings by kind, the most alarming kind first; the first 1,000 of each kind.'),
    unlistedCounts: z
      .partialRecord(findingKindSchema, z.int())
      .describe('How many more of a kind there are than listed.'),
  })
  .meta({
    id: 'RunReview',
    description: 'What stands out in the rows that a run would pay.',
  }) satisfies z.ZodType<DomainRunReview>;
export type RunReview = z.infer<typeof reviewSchema>;
