import { errorsOf, json } from '../../api/answers.ts';
import {
  breakAssignmentSchema,
  breakClosingSchema,
  breakExplanationSchema,
  breakListSchema,
  breakParams,
  breakQuery,
  breakReopeningSchema,
  breakSchema,
} from '../../api/reconciliation/break.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/reconciliation-api.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

const afterwards = { 200: json('The break afterwards.', breakSchema), ...errorsOf(400, 404, 409, 415) };

/** Differences, and how two people close them. */
export function addBreakRoutes(app: Api, application: ReconciliationApplication): void {
  app.get('/reconciliation/breaks', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listBreaks',
      tags: ['reconciliation'],
      summary: "Differences between the provider's history and the record, the oldest first",
      querystring: breakQuery,
      response: { 200: json('The breaks.', breakListSchema), ...errorsOf(400) },
    },
    handler: async (request) => ({ breaks: await application.listBreaks(userOf(request), request.query) }),
  });

  app.post('/reconciliation/breaks/:breakId/assign', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'assignBreak',
      tags: ['reconciliation'],
      summary: 'Say who finds out about a break',
      params: breakParams,
      body: breakAssignmentSchema,
      response: afterwards,
    },
    handler: (request) => application.assignBreak(userOf(request), request.params.breakId, request.body.login),
  });

  app.post('/reconciliation/breaks/:breakId/explain', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'explainBreak',
      tags: ['reconciliation'],
      summary: 'Say why there is a difference: the first of the two people who close a break',
      params: breakParams,
      body: breakExplanationSchema,
      response: afterwards,
    },
    handler: (request) => application.explainBreak(userOf(request), request.params.breakId, request.body.reason),
  });

  app.post('/reconciliation/breaks/:breakId/close', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'closeBreak',
      tags: ['reconciliation'],
      summary: 'Close a break whose explanation you have seen: the second person',
      params: breakParams,
      body: breakClosingSchema,
      response: afterwards,
    },
    handler: (request) => application.closeBreak(userOf(request), request.params.breakId, request.body.explanationId),
  });

  app.post('/reconciliation/breaks/:breakId/reopen', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'reopenBreak',
      tags: ['reconciliation'],
      summary: 'Refuse the explanation of a break, or take back one of your own',
      params: breakParams,
      body: breakReopeningSchema,
      response: afterwards,
    },
    handler: (request) => application.reopenBreak(userOf(request), request.params.breakId, request.body.reason),
  });
}
