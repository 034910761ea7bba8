import { z } from 'zod';
import {
  depositListSchema,
  depositQuery,
  fundingListSchema,
  fundingQuery,
  receiptAssignmentSchema,
  receiptListSchema,
  receiptQuery,
} from '../../api/accounts/receipt.ts';
import { refundListSchema, refundQuery } from '../../api/accounts/refund.ts';
import { errorsOf, json } from '../../api/answers.ts';
import type { AccountsApplication } from '../../application/accounts/accounts-api.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** Money that came in, and what explains it. */
export function addReceiptRoutes(app: Api, application: AccountsApplication): void {
  app.get('/accounts/refunds', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRefunds',
      tags: ['accounts'],
      summary: 'Refunds: money that came back, or is expected to, the newest first',
      querystring: refundQuery,
      response: { 200: json('Refunds.', refundListSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listRefunds(userOf(request), request.query),
  });

  app.get('/accounts/deposits', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listDeposits',
      tags: ['accounts'],
      summary: 'Deposits on virtual accounts, as notifications reported them, the newest first',
      querystring: depositQuery,
      response: { 200: json('Deposits.', depositListSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listDeposits(userOf(request), request.query),
  });

  app.get('/accounts/fundings', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listFundings',
      tags: ['accounts'],
      summary: 'Fundings, as the provider shows them, the newest first',
      querystring: fundingQuery,
      response: { 200: json('Fundings.', fundingListSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listFundings(userOf(request), request.query),
  });

  app.get('/accounts/receipts', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listReceipts',
      tags: ['accounts'],
      summary: 'Money that came in and that nothing explains, the newest first',
      querystring: receiptQuery,
      response: { 200: json('Receipts.', receiptListSchema), ...errorsOf(400) },
    },
    handler: (request) => application.listReceipts(userOf(request), request.query),
  });

  app.post('/accounts/receipts/assign', {
    config: { access: 'assign_receipt' },
    schema: {
      operationId: 'assignReceipt',
      tags: ['accounts'],
      summary: 'Assign a receipt that nothing explains',
      description: 'With a refund: the payment is returned by it, if all of it came back.',
      body: receiptAssignmentSchema,
      response: { 204: z.undefined().describe('Assigned.'), ...errorsOf(400, 404, 409, 415) },
    },
    handler: async (request, reply) => {
      await application.assignReceipt(userOf(request), request.body);
      return reply.code(204).send();
    },
  });
}
