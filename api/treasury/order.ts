import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { z } from 'zod';
import { manualOutcomeStatesOf } from '../../domain/payments/manual-outcome-state.ts';
import { REQUEST_OUTCOMES } from '../../domain/payments/request-result.ts';
import { CURRENCY_CODE } from '../../domain/payment-file/payment-codes.ts';
import { CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import { DEBIT_EVIDENCE } from '../../domain/treasury/funding-evidence.ts';
import { stateSentencesSchema } from '../state-sentences.ts';
import { amount, countInQuery, instant, person, remark } from '../fields.ts';

/** Orders to convert money of one balance into another currency. */

const plainAmount = z.string().regex(/^(?!0+(\.0+)?$)\d{1,15}(\.\d{1,4})?$/, 'give a plain amount, as "50000.00"');
const price = z.string().regex(/^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,10})?$/, 'give a plain price, as "0.9150"');
const currency = z.string().regex(CURRENCY_CODE, 'give a currency code, as "EUR"');

const limitPriceSchema = z.union([
  z.strictObject({ buyPerSellAtLeast: price.describe('Units bought for one sold.') }),
  z.strictObject({ sellPerBuyAtMost: price.describe('Units sold for one bought.') }),
]);

export const newOrderSchema = z
  .strictObject({
    account: z.string().min(1).max(100).nullable().default(null).describe('Null: the only one that you may use.'),
    sellCurrency: currency,
    buyCurrency: currency,
    fixedSide: z.enum(['sell', 'buy'], 'give sell or buy'),
    amount: plainAmount.describe('Amount of the fixed side.'),
    limitPrice: limitPriceSchema.nullable().default(null).describe('The worst price, with the fees.'),
    maxCostBps: z
      .string()
      .regex(/^\d{1,4}(\.\d{1,2})?$/, 'give basis points, as "25"')
      .nullable()
      .default(null)
      .describe('The most that the price may be worse than the reference price, in basis points.'),
    cap: plainAmount.nullable().default(null).describe('The most that may be sold, with the fees.'),
    expiresAt: z.iso
      .datetime({ offset: true, error: 'give a time, as "2026-12-31T16:00:00Z"' })
      .nullable()
      .default(null)
      .describe('Nothing is created after it. Null: a day from now.'),
  })
  .refine(({ sellCurrency, buyCurrency }) => sellCurrency !== buyCurrency, {
    path: ['buyCurrency'],
    error: 'must be another currency than sellCurrency',
  })
  .refine((order) => order.fixedSide === 'sell' || order.limitPrice !== null || order.cap !== null, {
    path: ['cap'],
    error: 'an order that fixes what is bought needs a cap or a limit price: nothing else bounds what it sells',
  })
  .meta({ id: 'NewOrder' });
export type NewOrder = z.output<typeof newOrderSchema>;
export type NewOrderRequest = z.input<typeof newOrderSchema>;

const quoteSchema = z.object({
  sellAmount: amount,
  buyAmount: amount,
  totalAmount: amount.describe('What leaves the balance, with the fees.'),
  totalFees: amount.nullable(),
  rate: z.string().describe("The provider's, to be looked at: nothing is computed with it."),
  quotedAt: instant.nullable(),
});

const findingSchema = z.object({
  guard: z.string(),
  verdict: z.enum(['passes', 'refuses', 'not_set']),
  code: z.string().nullable(),
  message: z.string().describe('The result of the check, for people.'),
});
export type OrderFinding = z.infer<typeof findingSchema>;

const orderStateSchema = z.enum(CONVERSION_STATES);

export const orderSummarySchema = z
  .object({
    orderId: z.string(),
    account: z.string(),
    sellCurrency: z.string(),
    buyCurrency: z.string(),
    fixedSide: z.enum(['sell', 'buy']),
    amount,
    limitPrice: limitPriceSchema.nullable(),
    maxCostBps: z.string().nullable(),
    cap: amount.nullable(),
    expiresAt: instant,
    orderHash: z.string().describe('What a decision is made on: SHA-256 over the terms.'),
    approvedUpTo: amount.describe('The largest total that an approval covers.'),
    state: orderStateSchema,
    stateReason: z.string().nullable().describe('A code: why the order is in this state.'),
    placedBy: person,
    placedAt: instant,
    quote: quoteSchema.nullable().describe('The last one.'),
    reference: z.string().nullable().describe('Where the reference price of the quote is from.'),
    costBps: z.string().nullable().describe('Cost of the quote against the reference price; null: not known.'),
    conversionId: z.string().nullable(),
    providerStatus: z.string().nullable(),
    providerMessage: z.string().nullable().describe('Why the provider refused something, in its words.'),
    fundingCutoffAt: instant.nullable(),
    fundedAt: instant.nullable(),
    completedAt: instant.nullable(),
    endedAt: instant.nullable(),
  })
  .meta({ id: 'Order', description: 'An order to convert money of one balance into another currency.' });
export type OrderSummary = z.infer<typeof orderSummarySchema>;

export const ORDER_MANUAL_OUTCOME_KINDS = ['never_created', 'funded', 'fund_again', 'lapsed', 'settled'] as const;

const manualOutcomeSchema = z.object({
  manualOutcomeId: z.string(),
  outcome: z.enum(ORDER_MANUAL_OUTCOME_KINDS),
  reason: z.string().nullable().describe('Null: it was erased.'),
  state: z.enum(manualOutcomeStatesOf('conversion')),
  proposedBy: person,
  proposedAt: instant,
  confirmedBy: person.nullable(),
  closedAt: instant.nullable(),
});

export const orderDetailSchema = orderSummarySchema
  .extend({
    findings: z.array(findingSchema).describe('What each guard said of the last quote.'),
    providerAmounts: z
      .object({ sellAmount: amount.nullable(), buyAmount: amount.nullable(), totalAmount: amount.nullable() })
      .nullable()
      .describe('The amounts of the conversion as the provider shows it.'),
    fundingEvidence: z
      .object({
        debit: z
          .enum(DEBIT_EVIDENCE)
          .describe(
            '`seen`: the total has left for this conversion; `absent`: a complete history has no debit; `incomplete`: entries are ' +
              'missing; `contested`: an equal debit may be of others.',
          ),
        readAt: instant.describe('When that read of the history began.'),
      })
      .nullable()
      .describe(
        'What the history of the balance says of the debit. Null: nobody asked to fund it, or it was answered.',
      ),
    decisions: z.array(
      z.object({
        decision: z.enum(['approved', 'rejected', 'withdrawn', 'released']),
        by: person,
        at: instant,
        reason: z.string().nullable(),
      }),
    ),
    requests: z.array(
      z.object({
        operation: z.enum(['quote', 'create', 'fund']),
        begunAt: instant,
        answeredAt: instant.nullable(),
        outcome: z.enum(REQUEST_OUTCOMES).nullable().describe('Null: it is not known.'),
        httpStatus: z.int().nullable(),
      }),
    ),
    manualOutcomes: z.array(manualOutcomeSchema),
    sentences: stateSentencesSchema,
  })
  .meta({ id: 'OrderDetail' });
export type OrderDetail = z.infer<typeof orderDetailSchema>;

export const actionableOrderSchema = orderDetailSchema
  .extend({ allowedActions: allowedActionsSchema })
  .meta({ id: 'ActionableOrder' });
export type ActionableOrder = z.infer<typeof actionableOrderSchema>;

export const conversionDryRunSchema = z
  .object({
    account: z.string(),
    sellCurrency: z.string(),
    buyCurrency: z.string(),
    fixedSide: z.enum(['sell', 'buy']),
    amount,
    approvedUpTo: amount.describe('The largest total that an approval would cover.'),
    quote: quoteSchema.nullable().describe('Null: the provider has refused it.'),
    problem: z.string().nullable().describe('Why it has.'),
    reference: z.string().nullable(),
    referencePrice: z.string().nullable().describe('Units bought for one sold; null: it is not clear.'),
    price: z.string().nullable().describe('Price of the quote with its fees: units bought for one sold.'),
    costBps: z.string().nullable(),
    findings: z.array(findingSchema),
    decision: z
      .enum(['commit', 'ask_for_approval', 'skip', 'hold', 'expire'])
      .describe('What would become of the order now.'),
    code: z.string().nullable(),
  })
  .meta({ id: 'ConversionDryRun', description: 'What an order would be quoted at. Nothing was committed.' });
export type ConversionDryRun = z.infer<typeof conversionDryRunSchema>;

export const orderId = z.guid('is not the id of an order').toLowerCase();
export const orderParams = z.object({ orderId });

export const orderListQuery = z.object({
  account: z.string().min(1).max(100).nullable().default(null).describe('Only orders of this account.'),
  state: orderStateSchema.nullable().default(null).describe('Only orders in this state.'),
  limit: countInQuery(1, 200, 50),
  after: orderId.nullable().default(null).describe('`nextAfter` of the previous page.'),
});
export type OrderListQuery = z.output<typeof orderListQuery>;

export const orderPageSchema = z.object({
  orders: z.array(orderSummarySchema),
  nextAfter: z.string().nullable().describe('`after` of the next page; null: this is the last.'),
});
export type OrderPage = z.infer<typeof orderPageSchema>;

const orderHash = z.string().regex(/^[0-9a-f]{64}$/, 'is not the hash of an order');

export const orderDecisionSchema = z.strictObject({
  orderHash: orderHash.describe('Hash of the terms that were read.'),
  reason: remark.min(1).nullable().default(null),
});
export type OrderDecision = z.output<typeof orderDecisionSchema>;

export const orderManualOutcomeRequestSchema = z.strictObject({
  outcome: z.enum(ORDER_MANUAL_OUTCOME_KINDS),
  reason: remark.min(1, 'must say how it is known'),
});
export type OrderManualOutcomeRequest = z.infer<typeof orderManualOutcomeRequestSchema>;

const manualOutcomeId = z.guid('is not a manual outcome id').toLowerCase().describe('The proposal that was seen.');
export const orderConfirmationSchema = z.strictObject({ manualOutcomeId });
export type OrderConfirmation = z.infer<typeof orderConfirmationSchema>;
export const orderOutcomeRejectionSchema = z.strictObject({
  manualOutcomeId,
  reason: remark.min(1).nullable().default(null),
});
export type OrderOutcomeRejection = z.output<typeof orderOutcomeRejectionSchema>;
