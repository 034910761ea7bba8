import { json, errorsOf } from '../../api/answers.ts';
import { decisionFactsSchema } from '../../api/approvals/decision-facts.ts';
import { runParams } from '../../api/runs/run.ts';
import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';

/** What a decision on a run is made on, beside its review. */
export function addDecisionFactsRoute(app: Api, application: Pick<Application, 'findDecisionFacts'>): void {
  app.get('/runs/:runId/decision', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getDecisionFacts',
      tags: ['decisions'],
      summary: 'What a decision on a run is made on',
      description:
        "Totals beside the maker's last comparable run, the largest rows and their share, the rules and steps of the policy, and " +
        'who can still take each of them.',
      params: runParams,
      response: { 200: json('The facts.', decisionFactsSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const { runId } = request.params;
      return orNotFound(await application.findDecisionFacts(userOf(request), runId), `there is no run ${runId}`);
    },
  });
}
