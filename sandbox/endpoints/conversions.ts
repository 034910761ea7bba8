import { z } from 'zod';
import type { Account } from '../account/account.ts';
import { type Conversion, conversionAnswer, conversionQuoteAnswer, conversionStatuses } from '../account/conversion.ts';
import { findLimits } from '../account/find-limits.ts';
import { requireCurrency } from '../account/quotes.ts';
import { readTimeRange } from '../account/time-range.ts';
import { inData, operation, type OperationLink } from '../http/operation.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { currencyCode, day, id, quotableAmount, shortText, timestamp, withExample } from './field-types.ts';
import { timeRangeFields } from './date-formats.ts';

const priceSchema = z.object({
  currencyPair: z.string(),
  buyCurrency: currencyCode,
  sellCurrency: currencyCode,
  buyAmount: z.number(),
  sellAmount: z.number(),
  rate: z.number(),
  totalFees: z.number(),
  totalAmount: z.number(),
  fixedSide: z.enum(['buy', 'sell']),
});

const quoteSchema = priceSchema.extend({
  quoteId: id,
  settlementCutOffTime: timestamp.meta({ deprecated: true }),
});

const conversionSchema = priceSchema.extend({
  conversionId: id,
  referenceId: z.string().nullable(),
  status: z.enum(conversionStatuses),
  createdAt: timestamp,
  fundingCutoffTime: timestamp,
  id: id.meta({ deprecated: true }),
  username: z.string().meta({ deprecated: true }),
  conversionDate: day.meta({ deprecated: true }),
});

const createBody = z.object({
  quoteId: z.string().min(1),
  referenceId: shortText.nullish(),
  uniqueReferenceId: z.boolean().nullish(),
});

/** @throws Refusal 409 `duplicate_reference`, or the refusals of the quote */
function createConversion(world: World, account: Account, body: z.output<typeof createBody>): Conversion {
  const { quoteId, referenceId, uniqueReferenceId } = body;
  if (uniqueReferenceId && !referenceId) throw invalidField('referenceId', 'is required with uniqueReferenceId');
  const existing = uniqueReferenceId && referenceId ? account.conversions.withReferenceId(referenceId)[0] : undefined;
  if (existing && world.options.duplicateReference === 'return') return existing;
  if (existing && world.options.duplicateReference === 'refuse') {
    throw new Refusal(409, 'duplicate_reference', 'referenceId: a conversion with this referenceId exists already');
  }
  return account.conversions.create(quoteId, referenceId ?? null);
}

const conversionLinks = (conversionId: string): Record<string, OperationLink> => ({
  read: { operationId: 'conversion-get', parameters: { conversionId } },
  fund: { operationId: 'conversion-fund', requestBody: { conversionId } },
});

/** Contract: payments 2.3, 2.4 and 4.3. */
export const conversions = [
  operation({
    ids: ['conversion-quote'],
    method: 'POST',
    path: '/conversions/v1/quote',
    summary: 'A price for one conversion; amount is the amount of the fixed side',
    body: withExample(
      z.object({
        buyCurrency: currencyCode,
        sellCurrency: currencyCode,
        fixedSide: z.enum(['buy', 'sell']),
        amount: quotableAmount,
      }),
      { buyCurrency: 'EUR', sellCurrency: 'USD', fixedSide: 'sell', amount: 100 },
    ),
    answer: inData(quoteSchema),
    links: { create: { operationId: 'conversion-create', requestBody: { quoteId: '$response.body#/data/quoteId' } } },
    perform: ({ account, body: { sellCurrency, buyCurrency, amount, fixedSide } }) => {
      const sell = requireCurrency('sellCurrency', sellCurrency);
      const buy = requireCurrency('buyCurrency', buyCurrency);
      return { data: conversionQuoteAnswer(account.conversions.quote({ sell, buy, amount, fixedSide })) };
    },
  }),
  operation({
    ids: ['conversion-create'],
    method: 'POST',
    path: '/conversions/v1/create',
    summary: 'Creates a conversion from a quote; it then awaits funds',
    body: createBody,
    answer: inData(conversionSchema),
    refusals: [404, 409],
    links: conversionLinks('$response.body#/data/conversionId'),
    perform: ({ world, account, body }) => {
      const created = createConversion(world, account, body);
      const status = world.answers.statusAtCreation(created.id, created.status);
      return { data: { ...conversionAnswer(created), status } };
    },
  }),
  operation({
    ids: ['conversion-find'],
    method: 'POST',
    reads: true,
    path: '/conversions/v1/find',
    summary: 'Conversions by creation time and reference, newest first',
    body: z.object({ ...timeRangeFields, referenceId: z.string().nullish() }).optional(),
    answer: inData(z.array(conversionSchema)),
    links: conversionLinks('$response.body#/data/0/conversionId'),
    perform: ({ world, account, fault, body }) => {
      const range = readTimeRange(body?.startDate, body?.endDate);
      const limits = findLimits(world.options, fault);
      return { data: account.conversions.find(range, body?.referenceId ?? undefined, limits).map(conversionAnswer) };
    },
  }),
  operation({
    ids: ['conversion-get'],
    method: 'GET',
    path: '/conversions/v1/item/:conversionId',
    summary: 'One conversion',
    params: z.object({ conversionId: z.string() }),
    answer: inData(conversionSchema),
    perform: ({ account, params }) => ({ data: conversionAnswer(account.conversions.get(params.conversionId)) }),
  }),
  operation({
    ids: ['conversion-fund'],
    method: 'POST',
    path: '/conversions/v1/fund',
    summary: "Pays a conversion's totalAmount from the balance; its status stays awaiting_funds until it completes",
    body: z.object({ conversionId: z.string().min(1) }),
    answer: inData(conversionSchema),
    refusals: [404, 409],
    perform: ({ account, body }) => ({ data: conversionAnswer(account.conversions.fund(body.conversionId)) }),
  }),
];
