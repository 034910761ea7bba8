import { decisionFactsEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addDecisionFactsRoute(app: Api, application: Pick<Application, 'findDecisionFacts'>): void {
  serve(app, decisionFactsEndpoints, {
    getDecisionFacts: async ({ user, params: { runId } }) =>
      orNotFound(await application.findDecisionFacts(user, runId), `there is no run ${runId}`),
  });
}
