import Big from 'big.js';
import { z } from 'zod';
import { requireCurrency } from '../account/quotes.ts';
import { isoTime } from '../account/simple-payment.ts';
import {
  type VirtualAccountOrder,
  type VirtualAccountRequest,
  virtualAccountStatuses,
} from '../account/virtual-accounts.ts';
import { defaultOptions, type SandboxOptions } from '../config/options.ts';
import { inData, operation } from '../http/operation.ts';
import { exactNumber, type Json, RawJson, amountJson } from '../core/json.ts';
import { invalidField } from '../core/refusal.ts';
import { currencyCode, id, timestamp, withExample } from './field-types.ts';

/** The minimum amount of a fixed account, where the contract has one. */
const minAmounts: Readonly<Record<string, string>> = { IDR: '10000', USD: '1' };

/** Unlike everywhere else in the contract, user ids are numbers here. */
const CALLER = { number: 1001, name: 'Sandbox Caller' };
const OPERATOR = { number: 1, name: 'Sandbox Operator' };

const requestBody = z.object({
  name: z.string().regex(/^[A-Za-z0-9 ]{1,255}$/, 'must be letters, digits and spaces only'),
  provider: z.string().min(1),
  currency: currencyCode,
  description: z.string().min(1),
  type: z.enum(['open', 'fixed']),
  approveAsync: z.boolean().nullish(),
  amount: exactNumber.nullish(),
  expiryDuration: exactNumber.nullish(),
});

const anOpenAccount = {
  name: 'Example Account',
  provider: 'bank',
  currency: 'USD',
  description: 'Takings of the shop',
  type: 'open',
};

const requestSchema = z.object({
  requestId: id,
  name: z.string(),
  provider: z.string(),
  currency: currencyCode,
  description: z.string(),
  type: z.enum(['open', 'fixed']),
  status: z.enum(virtualAccountStatuses),
  amount: z.number().nullable(),
  expiryDuration: z.number().nullable(),
  userId: z.int(),
  userFullname: z.string(),
  createdBy: z.int(),
  createdByName: z.string(),
  updatedBy: z.int(),
  updatedByName: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  virtualAccountNo: z.string().describe('"Creating..." until it is issued'),
  approveAsync: z.boolean(),
  approvedBy: z.int().optional(),
  approvedByName: z.string().optional(),
  approvedAt: timestamp.optional(),
  virtualAccountId: id.optional(),
});

/** @throws Refusal `validation_failed` for a field that is missing or out of range */
function orderOf(body: z.output<typeof requestBody>, options: SandboxOptions): VirtualAccountOrder {
  const currency = requireCurrency('currency', body.currency);
  const { virtualAccountProviders: providers } = options;
  if (providers.length > 0 && !providers.includes(body.provider)) {
    throw invalidField('provider', `must be one of ${providers.join(', ')}`);
  }
  const { name, provider, description, type } = body;
  const order = { name, provider, currency, description, type, approveAsync: body.approveAsync ?? false };
  if (type === 'open') return { ...order, amount: null, expiryDuration: null };
  const minAmount = new Big(minAmounts[currency.code] ?? '0');
  const { amount, expiryDuration } = body;
  if (!amount) throw invalidField('amount', 'is required with type fixed');
  if (amount.lte(0) || amount.lt(minAmount)) throw invalidField('amount', `must be at least ${minAmount.toFixed()}`);
  if (!amount.eq(amount.round(currency.decimalPlaces))) {
    throw invalidField('amount', `${currency.code} has ${currency.decimalPlaces} decimal places`);
  }
  if (!expiryDuration) throw invalidField('expiryDuration', 'is required with type fixed');
  if (expiryDuration.lt(1) || expiryDuration.gt(48)) throw invalidField('expiryDuration', 'must be from 1 to 48');
  return { ...order, amount, expiryDuration: expiryDuration.toNumber() };
}

function requestAnswer(request: VirtualAccountRequest): Json {
  const { approval, currency } = request;
  const updatedBy = request.status === 'pending' ? CALLER : OPERATOR;
  return {
    requestId: request.id,
    name: request.name,
    provider: request.provider,
    currency: currency.code,
    description: request.description,
    type: request.type,
    status: request.status,
    amount: request.amount && amountJson(request.amount, currency.decimalPlaces),
    expiryDuration: request.expiryDuration === null ? null : new RawJson(String(request.expiryDuration)),
    userId: CALLER.number,
    userFullname: CALLER.name,
    createdBy: CALLER.number,
    createdByName: CALLER.name,
    updatedBy: updatedBy.number,
    updatedByName: updatedBy.name,
    createdAt: isoTime(request.createdAtMs),
    updatedAt: isoTime(request.updatedAtMs),
    virtualAccountNo: request.number ?? 'Creating...',
    approveAsync: request.approveAsync,
    ...(approval && {
      approvedBy: OPERATOR.number,
      approvedByName: OPERATOR.name,
      approvedAt: isoTime(approval.atMs),
      virtualAccountId: approval.virtualAccountId,
    }),
  };
}

/** Contract: payments 2.8 and 4.6; the path of the second operation is not in the contract, so that an option sets it. */
export const virtualAccounts = [
  operation({
    ids: ['virtual-account-request-create'],
    method: 'POST',
    path: '/virtual-accounts/v1/requests/create',
    summary: 'Requests a virtual account; an operator decides',
    body: withExample(requestBody, anOpenAccount),
    answer: inData(requestSchema),
    links: {
      read: {
        operationId: 'virtual-account-request-retrieve',
        parameters: { requestId: '$response.body#/data/requestId' },
      },
    },
    perform: ({ world, account, body }) => ({
      data: requestAnswer(account.virtualAccounts.request(orderOf(body, world.options))),
    }),
  }),
  operation({
    ids: ['virtual-account-request-retrieve'],
    method: 'GET',
    path: defaultOptions.virtualAccountRequestPath,
    pathOf: ({ virtualAccountRequestPath }) => virtualAccountRequestPath,
    summary: 'One request for a virtual account',
    params: z.object({ requestId: z.string() }),
    answer: inData(requestSchema),
    perform: ({ account, params }) => ({ data: requestAnswer(account.virtualAccounts.get(params.requestId)) }),
  }),
];
