import { z } from 'zod';
import { amount, countInQuery, instant } from '../fields.ts';
import { runId } from '../runs/run.ts';
import { accountInQuery, currencyInQuery } from './balance.ts';

/** What is known of a refund. */
export const REFUND_STATES = ['reported', 'expected', 'credited'] as const;

const refundSchema = z
  .object({
    account: z.string(),
    refundId: z.string().describe("The provider's id."),
    state: z
      .enum(REFUND_STATES)
      .describe(
        '`reported`: a notification named it, and the provider does not show it. `expected`: the provider shows it, and the ' +
          'history does not show its money. `credited`: its money is in the history.',
      ),
    currency: z.string().nullable().describe('Null: reported.'),
    amount: amount.nullable(),
    resource: z.string().nullable().describe("What was refunded, in the provider's words."),
    resourceId: z.string().nullable().describe("The provider's id of that."),
    runId: z.string().nullable().describe('Null: payrun has not made the payment.'),
    rowRef: z.string().nullable(),
    paymentState: z.string().nullable(),
    remarks: z.string().nullable().describe("The provider's words, for users who may read instructions."),
    firstSeenAt: instant,
    ageSeconds: z.int().describe('Seconds since it was first seen.'),
    creditedAt: instant.nullable().describe('The date of its money in the history.'),
    entryId: z.string().nullable().describe('The entry of the history.'),
  })
  .meta({ id: 'Refund' });
export type Refund = z.infer<typeof refundSchema>;

export const refundQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  run: runId.nullable().default(null).describe('Only refunds of payments of this run.'),
  state: z.enum(REFUND_STATES).nullable().default(null).describe('Only refunds in this state.'),
  limit: countInQuery(1, 1000, 200),
});
export type RefundQuery = z.output<typeof refundQuery>;

export const refundListSchema = z.object({
  refunds: z.array(refundSchema).describe('The newest first.'),
  hasMore: z.boolean().describe('Whether there are older ones.'),
});
export type RefundList = z.infer<typeof refundListSchema>;
