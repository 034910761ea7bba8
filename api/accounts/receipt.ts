import { z } from 'zod';
import { amount, countInQuery, instant, plainText } from '../fields.ts';
import { accountInQuery, currencyInQuery } from './balance.ts';

/** Money that came in, and what is said of it. */

const limit = countInQuery(1, 1000, 200);
const hasMore = z.boolean().describe('Whether there are older ones.');
const ageSeconds = z.int().describe('Seconds since it was first seen.');

export const DEPOSIT_STATES = ['reported', 'confirmed'] as const;

const depositSchema = z
  .object({
    account: z.string(),
    transactionId: z.string().describe('Id of the transaction in the notification.'),
    state: z
      .enum(DEPOSIT_STATES)
      .describe(
        '`reported`: a notification said so, which proves nothing. `confirmed`: a receipt of the history has this amount.',
      ),
    amount,
    currency: z.string().nullable().describe('Currency of the receipt; a notification has none.'),
    status: z.string().describe("The provider's status, as last reported."),
    virtualAccountId: z.string().nullable(),
    reportedAt: instant,
    ageSeconds,
    confirmedAt: instant.nullable(),
    entryId: z.string().nullable().describe('The entry of the history.'),
  })
  .meta({ id: 'Deposit' });
export type Deposit = z.infer<typeof depositSchema>;

export const depositQuery = z.object({
  account: accountInQuery,
  state: z.enum(DEPOSIT_STATES).nullable().default(null).describe('Only deposits in this state.'),
  limit,
});
export type DepositQuery = z.output<typeof depositQuery>;
export const depositListSchema = z.object({ deposits: z.array(depositSchema).describe('The newest first.'), hasMore });
export type DepositList = z.infer<typeof depositListSchema>;

const fundingSchema = z
  .object({
    account: z.string(),
    fundingId: z.string().describe("The provider's id."),
    status: z
      .string()
      .nullable()
      .describe(
        "The provider's: `awaiting_funds`, `pending`, `completed`, `failed`. Null: a notification named it, and the provider does not show it.",
      ),
    currency: z.string().nullable(),
    amount: amount.nullable(),
    reference: z
      .string()
      .nullable()
      .describe('Reference of the transfer, where there is one; null for users who may not read instructions.'),
    firstSeenAt: instant,
    ageSeconds,
    creditedAt: instant.nullable().describe('The date of its money in the history; null: not seen.'),
    entryId: z.string().nullable().describe('The entry of the history.'),
  })
  .meta({ id: 'Funding' });
export type Funding = z.infer<typeof fundingSchema>;

export const fundingQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  status: z.string().max(40).nullable().default(null).describe('Only fundings with this status.'),
  limit,
});
export type FundingQuery = z.output<typeof fundingQuery>;
export const fundingListSchema = z.object({ fundings: z.array(fundingSchema).describe('The newest first.'), hasMore });
export type FundingList = z.infer<typeof fundingListSchema>;

export const RECEIPT_EXPLANATIONS = ['refund', 'funding', 'deposit', 'conversion', 'person'] as const;

const receiptSchema = z
  .object({
    account: z.string(),
    currency: z.string(),
    entryId: z.string().describe('The entry of the history.'),
    amount,
    datedAt: instant.describe('Time of the entry by the provider.'),
    ageSeconds: z.int().describe('Seconds since then.'),
    type: z.string().describe('Free text of the provider.'),
    transactionId: z.string().nullable(),
    matchesEarlierDebit: z.boolean().describe('It has the transaction id of an earlier debit: money that comes back.'),
    explainedBy: z.enum(RECEIPT_EXPLANATIONS).nullable().describe('Null: nothing does.'),
    refundId: z.string().nullable(),
    fundingId: z.string().nullable(),
    depositTransactionId: z.string().nullable(),
    assignment: z
      .object({ by: z.string(), at: instant, reason: z.string().nullable().describe('Null: erased.') })
      .nullable()
      .describe('Who said what it is, last.'),
  })
  .meta({ id: 'Receipt', description: 'An increase of a balance in the history.' });
export type Receipt = z.infer<typeof receiptSchema>;

export const receiptQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  all: z.stringbool().default(false).describe('Also those that something explains.'),
  limit,
});
export type ReceiptQuery = z.output<typeof receiptQuery>;
export const receiptListSchema = z.object({ receipts: z.array(receiptSchema).describe('The newest first.'), hasMore });
export type ReceiptList = z.infer<typeof receiptListSchema>;

export const receiptAssignmentSchema = z
  .object({
    account: z.string().min(1).max(100),
    currency: z.string().length(3).toUpperCase(),
    entryId: z.string().min(1).max(200),
    refundId: z
      .string()
      .min(1)
      .max(200)
      .nullable()
      .default(null)
      .describe('The refund whose money it is; null: something that payrun does not know.'),
    reason: plainText(2000),
  })
  .meta({ id: 'ReceiptAssignment' });
export type ReceiptAssignment = z.output<typeof receiptAssignmentSchema>;
