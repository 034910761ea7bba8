import { errorsOf, json } from '../../api/answers.ts';
import { costQuery, costReportSchema, runCostsSchema } from '../../api/treasury/costs.ts';
import { runParams } from '../../api/runs/run.ts';
import { newOrderSchema, orderTrialSchema } from '../../api/treasury/order.ts';
import type { Application } from '../../application/application-api.ts';
import type { TreasuryApplication } from '../../application/treasury/treasury-api.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { userOf } from '../users/access.ts';

/** What money costs: an order before it is placed, and what was paid and converted. */
export function addCostRoutes(app: Api, application: TreasuryApplication & Pick<Application, 'findRun'>): void {
  app.post('/treasury/dry-runs', {
    config: { access: 'convert' },
    schema: {
      operationId: 'tryOrder',
      tags: ['treasury'],
      summary: 'What an order would be quoted at now, and what each guard would say; nothing is committed',
      body: newOrderSchema,
      response: { 200: json('The quote and the findings.', orderTrialSchema), ...errorsOf(400, 415) },
    },
    handler: (request) => application.tryOrder(userOf(request), request.body),
  });

  app.get('/costs', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'readCosts',
      tags: ['treasury'],
      summary: 'What payments and conversions have cost: fees, and the exchange against the reference rate of the day',
      querystring: costQuery,
      response: { 200: json('The costs by currency or run.', costReportSchema), ...errorsOf(400) },
    },
    handler: (request) => application.readCosts(userOf(request), request.query),
  });

  app.get('/runs/:runId/costs', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'readRunCosts',
      tags: ['runs'],
      summary: 'What the payments of a run have cost until now, by the currency that was spent',
      params: runParams,
      response: { 200: json('The costs.', runCostsSchema), ...errorsOf(400, 404) },
    },
    handler: async ({ params }) => {
      await existingRun(application, params.runId);
      return { costs: await application.readRunCosts(params.runId) };
    },
  });
}
