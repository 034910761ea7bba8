import { z } from 'zod';
import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { runParams } from '../runs/run.ts';
import { costQuery, costReportSchema, runCostsSchema } from './costs.ts';
import {
  actionableOrderSchema,
  newOrderSchema,
  orderConfirmationSchema,
  orderDecisionSchema,
  orderOutcomeRejectionSchema,
  orderDetailSchema,
  orderListQuery,
  orderPageSchema,
  orderParams,
  orderManualOutcomeRequestSchema,
  conversionDryRunSchema,
} from './order.ts';

const afterwards = {
  answers: { 200: json('The order afterwards.', orderDetailSchema) },
  errors: [400, 404, 409, 415],
} as const;

/** Orders to convert money of one balance into another currency. */
export const orderEndpoints = endpoints({
  listOrders: {
    method: 'GET',
    path: '/treasury/orders',
    access: 'read_runs',
    limitedBy: 'account',
    tag: 'treasury',
    summary: 'Orders to convert, of the accounts that you may use, the newest first',
    query: orderListQuery,
    answers: { 200: json('A page of orders.', orderPageSchema) },
    errors: [400],
  },
  placeOrder: {
    method: 'POST',
    path: '/treasury/orders',
    access: 'convert',
    limitedBy: 'account',
    tag: 'treasury',
    summary: 'Place an order to convert money of one balance into another currency',
    description:
      'With the same Idempotency-Key by the same user, the same order is the same one; another one is refused (409). An ' +
      'account has one open order for two currencies, in either direction. Above what the policy allows, another person ' +
      'approves it before anything is created.',
    headers: z.object({ 'idempotency-key': z.string().describe('1 to 200 visible ASCII characters.') }),
    body: newOrderSchema,
    answers: { 200: json('The order.', orderDetailSchema) },
    errors: [400, 409, 415],
  },
  dryRunOrder: {
    method: 'POST',
    path: '/treasury/dry-runs',
    access: 'convert',
    limitedBy: 'account',
    isReport: true,
    tag: 'treasury',
    summary: 'What an order would be quoted at now, and what each guard would say; nothing is committed',
    body: newOrderSchema,
    answers: { 200: json('The quote and the findings.', conversionDryRunSchema) },
    errors: [400, 415],
    // A quote may wait for a worker.
    timeoutMs: 120_000,
  },
  getOrder: {
    method: 'GET',
    path: '/treasury/orders/:orderId',
    access: 'read_runs',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'One order: its terms, its quote, what each guard said, decisions and requests',
    params: orderParams,
    answers: { 200: json('The order, and what you may do with it.', actionableOrderSchema) },
    errors: [400, 404],
  },
  approveOrder: {
    method: 'POST',
    path: '/treasury/orders/:orderId/approve',
    access: 'decide_conversion',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Approve an order of somebody else, by the hash of the terms that were seen',
    params: orderParams,
    body: orderDecisionSchema,
    ...afterwards,
  },
  rejectOrder: {
    method: 'POST',
    path: '/treasury/orders/:orderId/reject',
    access: 'decide_conversion',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Reject an order of somebody else, before it is created',
    params: orderParams,
    body: orderDecisionSchema,
    ...afterwards,
  },
  withdrawOrder: {
    method: 'POST',
    path: '/treasury/orders/:orderId/withdraw',
    access: 'convert',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Withdraw an order of your own, before it is created',
    params: orderParams,
    body: orderDecisionSchema,
    ...afterwards,
  },
  releaseOrder: {
    method: 'POST',
    path: '/treasury/orders/:orderId/release',
    access: 'decide_conversion',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Release a held order of somebody else, of which the provider has nothing: it is quoted again',
    params: orderParams,
    body: orderDecisionSchema,
    ...afterwards,
  },
  proposeOrderManualOutcome: {
    method: 'POST',
    path: '/treasury/orders/:orderId/manual-outcome',
    access: 'convert',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Propose what became of an unknown or held order, or that its conversion is to be funded',
    description:
      '`never_created`: the provider has no conversion of it; `funded`: its total has left the balance; `lapsed`: it has ' +
      'not, and is not to; `fund_again`: it has not, and is to be funded as the provider shows it; `settled`: the bought money ' +
      'has come, if not exactly the amount that was waited for. It takes effect when a ' +
      'second person confirms it.',
    params: orderParams,
    body: orderManualOutcomeRequestSchema,
    ...afterwards,
  },
  confirmOrderManualOutcome: {
    method: 'POST',
    path: '/treasury/orders/:orderId/manual-outcome/confirm',
    access: 'decide_conversion',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Confirm what became of an order',
    description:
      'By another person than the proposer. payrun then reads the provider once more: when it shows otherwise, the proposal ' +
      'is closed as `contradicted`.',
    params: orderParams,
    body: orderConfirmationSchema,
    ...afterwards,
  },
  rejectOrderManualOutcome: {
    method: 'POST',
    path: '/treasury/orders/:orderId/manual-outcome/reject',
    access: 'decide_conversion',
    limitedBy: 'orderId',
    tag: 'treasury',
    summary: 'Reject a proposal, or take back one of your own',
    params: orderParams,
    body: orderOutcomeRejectionSchema,
    ...afterwards,
  },
});

/** What money has cost. */
export const costEndpoints = endpoints({
  readCosts: {
    method: 'GET',
    path: '/costs',
    access: 'read_runs',
    limitedBy: 'account',
    tag: 'treasury',
    summary: 'What payments and conversions have cost: fees, and the exchange against the reference rate of the day',
    query: costQuery,
    answers: { 200: json('The costs by currency or run.', costReportSchema) },
    errors: [400],
  },
  readRunCosts: {
    method: 'GET',
    path: '/runs/:runId/costs',
    access: 'read_runs',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'What the payments of a run have cost until now, by the currency that was spent',
    params: runParams,
    answers: { 200: json('The costs.', runCostsSchema) },
    errors: [400, 404],
  },
});
