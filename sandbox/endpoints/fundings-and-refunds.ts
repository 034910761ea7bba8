import { z } from 'zod';
import { type Funding, fundingStatuses } from '../account/funding-book.ts';
import type { Refund } from '../account/refund-book.ts';
import type { SandboxOptions } from '../config/options.ts';
import { operation } from '../http/operation.ts';
import { type Json, amountJson } from '../core/json.ts';
import { currencyCode, id } from './field-types.ts';

const PAGE_SIZE = 20;

const fundingSchema = z.object({
  id,
  balanceId: id,
  accountId: id.optional(),
  accountID: id.optional().describe('accountId in another spelling, in the list'),
  currency: currencyCode,
  amount: z.number(),
  reference: z.string(),
  status: z.enum(fundingStatuses),
});

const refundSchema = z.object({
  id,
  resource: z.literal('simple_payment'),
  resourceId: id,
  currency: currencyCode,
  amount: z.union([z.string(), z.number()]),
  remarks: z.string(),
});

const pageQuery = z.object({
  'pagination[page]': z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'must be a page number from 1 on')
    .optional(),
});

/** Only two statuses can be filtered by; a switch determines what other values do. */
const fundingQuery = ({ fundingFilter }: SandboxOptions): z.ZodType<FundingQuery> =>
  pageQuery.extend({
    status: (fundingFilter === 'ignore'
      ? z.string()
      : z.enum(['completed', 'pending'], 'can be filtered by completed or pending')
    ).optional(),
  });

type FundingQuery = z.output<typeof pageQuery> & { readonly status?: string | undefined };

function fundingAnswer(funding: Funding, accountId: string, spelling: SandboxOptions['fundingAccountSpelling']): Json {
  const { currency } = funding.balance;
  return {
    id: funding.id,
    balanceId: funding.balance.id,
    [spelling]: accountId,
    currency: currency.code,
    amount: amountJson(funding.amount, currency.decimalPlaces),
    reference: funding.reference,
    status: funding.status,
  };
}

/** A refund in answers, without its status, which is not in the contract. Contract: account 2.8. */
function refundAnswer(refund: Refund, amountAs: SandboxOptions['refundAmount']): Json {
  const amount = amountJson(refund.amount, refund.currency.decimalPlaces);
  return {
    id: refund.id,
    resource: 'simple_payment',
    resourceId: refund.payment.id,
    currency: refund.currency.code,
    amount: amountAs === 'string' ? amount.text : amount,
    remarks: refund.remarks,
  };
}

/** The fundings with the status; all fundings for any other filter. */
function withStatus(all: readonly Funding[], status: string | undefined): readonly Funding[] {
  if (status !== 'completed' && status !== 'pending') return all;
  return all.filter((funding) => funding.status === status);
}

/** Contract: account 4.5. */
export const fundings = [
  operation({
    ids: ['funding-get'],
    method: 'GET',
    path: '/v2/fundings/:fundingId',
    summary: 'One funding',
    params: z.object({ fundingId: z.string() }),
    answer: fundingSchema,
    perform: ({ account, params }) => fundingAnswer(account.fundings.get(params.fundingId), account.id, 'accountId'),
  }),
  operation({
    ids: ['funding-list'],
    method: 'GET',
    path: '/v2/fundings',
    summary: 'Fundings, newest first, twenty a page; the first page is 1',
    queryOf: fundingQuery,
    answer: z.object({ value: z.array(fundingSchema) }),
    links: { read: { operationId: 'funding-get', parameters: { fundingId: '$response.body#/value/0/id' } } },
    perform: ({ world, account, query }) => {
      const { options } = world;
      const newestFirst = [...withStatus(account.fundings.all(), query.status)].reverse();
      const found = world.answers.paged(newestFirst, ({ id }) => id);
      const offset = (Number(query['pagination[page]'] ?? '1') - 1) * PAGE_SIZE;
      const page = found.slice(offset, offset + PAGE_SIZE);
      return { value: page.map((funding) => fundingAnswer(funding, account.id, options.fundingAccountSpelling)) };
    },
  }),
];

/** Contract: account 4.5. */
export const refunds = [
  operation({
    ids: ['refund-get'],
    method: 'GET',
    path: '/v2/refunds/:refundId',
    summary: 'One refund; its status is not shown',
    params: z.object({ refundId: z.string() }),
    answer: refundSchema,
    perform: ({ world, account, params }) =>
      refundAnswer(account.refunds.get(params.refundId), world.options.refundAmount),
  }),
  operation({
    ids: ['refund-list'],
    method: 'GET',
    path: '/v2/refunds',
    summary: 'All refunds, newest first',
    answer: z.object({ value: z.array(refundSchema) }),
    links: { read: { operationId: 'refund-get', parameters: { refundId: '$response.body#/value/0/id' } } },
    perform: ({ world, account }) => ({
      value: account.refunds
        .all()
        .reverse()
        .map((refund) => refundAnswer(refund, world.options.refundAmount)),
    }),
  }),
];
