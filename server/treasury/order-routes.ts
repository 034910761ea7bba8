import { z } from 'zod';
import { errorsOf, json } from '../../api/answers.ts';
import {
  newOrderSchema,
  orderConfirmationSchema,
  orderDecisionSchema,
  orderDenialSchema,
  actionableOrderSchema,
  orderDetailSchema,
  orderListQuery,
  orderPageSchema,
  orderParams,
  orderResolutionSchema,
} from '../../api/treasury/order.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/application-api.ts';
import type { TreasuryApplication } from '../../application/treasury/treasury-api.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { userOf } from '../users/access.ts';

const afterwards = { 200: json('The order afterwards.', orderDetailSchema), ...errorsOf(400, 404, 409, 415) };

/** Orders to convert money of one balance into another currency. */
export function addOrderRoutes(app: Api, application: TreasuryApplication & Pick<Application, 'allowedActions'>): void {
  app.get('/treasury/orders', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listOrders',
      tags: ['treasury'],
      summary: 'Orders to convert, of the accounts that you may use, the newest first',
      querystring: orderListQuery,
      response: { 200: json('A page of orders.', orderPageSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const orders = await application.listOrders(userOf(request), request.query);
      return { orders, nextAfter: orders.length < request.query.limit ? null : (orders.at(-1)?.orderId ?? null) };
    },
  });

  app.post('/treasury/orders', {
    config: { access: 'convert' },
    schema: {
      operationId: 'placeOrder',
      tags: ['treasury'],
      summary: 'Place an order to convert money of one balance into another currency',
      description:
        'With the same Idempotency-Key by the same user, the same order is the same one; another one is refused (409). An ' +
        'account has one open order for two currencies, in either direction. Above what the policy allows, another person ' +
        'approves it before anything is created.',
      headers: z.object({ 'idempotency-key': z.string().describe('1 to 200 visible ASCII characters.') }),
      body: newOrderSchema,
      response: { 200: json('The order.', orderDetailSchema), ...errorsOf(400, 409, 415) },
    },
    handler: async (request) => {
      const key = request.headers['idempotency-key'];
      if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
        throw new HttpError(400, 'invalid_input', 'Idempotency-Key: give one of 1 to 200 visible ASCII characters');
      }
      return application.placeOrder(userOf(request), request.body, key);
    },
  });

  app.get('/treasury/orders/:orderId', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getOrder',
      tags: ['treasury'],
      summary: 'One order: its terms, its quote, what each guard said, decisions and requests',
      params: orderParams,
      response: { 200: json('The order, and what you may do with it.', actionableOrderSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const { orderId } = request.params;
      const order = orNotFound(await application.findOrder(orderId), `there is no order ${orderId}`);
      const actions = await application.allowedActions(userOf(request), { kind: 'order', id: orderId });
      return { ...order, allowedActions: actions ?? [] };
    },
  });
  addDecisionRoutes(app, application);
  addResolutionRoutes(app, application);
}

const DECISIONS = [
  ['approve', 'approved', 'Approve an order of somebody else, by the hash of the terms that were seen'],
  ['decline', 'declined', 'Decline an order of somebody else, before it is created'],
  ['withdraw', 'withdrawn', 'Withdraw an order of your own, before it is created'],
  [
    'release',
    'released',
    'Release a held order of somebody else, of which the provider has nothing: it is quoted again',
  ],
] as const;

function addDecisionRoutes(app: Api, application: TreasuryApplication): void {
  for (const [path, verb, summary] of DECISIONS) {
    app.post(`/treasury/orders/:orderId/${path}`, {
      config: { access: verb === 'withdrawn' ? 'convert' : 'decide_conversion' },
      schema: {
        operationId: `${path}Order`,
        tags: ['treasury'],
        summary,
        params: orderParams,
        body: orderDecisionSchema,
        response: afterwards,
      },
      handler: (request) => application.decideOrder(userOf(request), request.params.orderId, verb, request.body),
    });
  }
}

function addResolutionRoutes(app: Api, application: TreasuryApplication): void {
  app.post('/treasury/orders/:orderId/resolution', {
    config: { access: 'convert' },
    schema: {
      operationId: 'proposeOrderResolution',
      tags: ['treasury'],
      summary: 'Propose what became of an unknown or held order, or that its conversion is to be funded',
      description:
        '`never_created`: the provider has no conversion of it; `funded`: its total has left the balance; `lapsed`: it has ' +
        'not, and is not to; `fund_again`: it has not, and is to be funded as the provider shows it; `settled`: the bought money ' +
        'has come, if not exactly the amount that was waited for. It takes effect when a ' +
        'second person confirms it.',
      params: orderParams,
      body: orderResolutionSchema,
      response: afterwards,
    },
    handler: (request) => application.proposeOrderResolution(userOf(request), request.params.orderId, request.body),
  });

  app.post('/treasury/orders/:orderId/resolution/confirm', {
    config: { access: 'decide_conversion' },
    schema: {
      operationId: 'confirmOrderResolution',
      tags: ['treasury'],
      summary: 'Confirm what became of an order',
      description:
        'By another person than the proposer. payrun then reads the provider once more: when it shows otherwise, the proposal ' +
        'is closed as `contradicted`.',
      params: orderParams,
      body: orderConfirmationSchema,
      response: afterwards,
    },
    handler: (request) => application.confirmOrderResolution(userOf(request), request.params.orderId, request.body),
  });

  app.post('/treasury/orders/:orderId/resolution/deny', {
    config: { access: 'decide_conversion' },
    schema: {
      operationId: 'denyOrderResolution',
      tags: ['treasury'],
      summary: 'Deny a proposal, or take back one of your own',
      params: orderParams,
      body: orderDenialSchema,
      response: afterwards,
    },
    handler: (request) => application.denyOrderResolution(userOf(request), request.params.orderId, request.body),
  });
}
