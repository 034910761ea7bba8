import { runReadEndpoints } from '../../api/runs/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { mayReadInstructions } from '../users/access.ts';

export function addRunRoutes(
  app: Api,
  application: Pick<Application, 'listRuns' | 'findRunFor' | 'findRowByLine' | 'eraseRun'>,
): void {
  serve(app, runReadEndpoints, {
    listRuns: async ({ user, query }) => {
      const runs = await application.listRuns(user, query);
      return { runs, next: runs.length < query.limit ? null : (runs.at(-1)?.runId ?? null) };
    },
    getRun: async ({ user, params: { runId } }) =>
      orNotFound(await application.findRunFor(user, runId), `there is no run ${runId}`),
    eraseRun: ({ user, params: { runId } }) => application.eraseRun(user, runId),
    getRowByLine: async ({ user, params, request }) => {
      const may = { withInstructions: mayReadInstructions(request) };
      return orNotFound(await application.findRowByLine(user, params, may), 'there is no row on this line of the run');
    },
  });
}
