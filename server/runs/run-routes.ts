import type { Application } from '../../application/application-api.ts';
import { mayReadInstructions, userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { existingRun } from './existing-run.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { rowListQuery, rowPageSchema } from '../../api/runs/row.ts';
import { runListQuery, runPageSchema, runParams, runSummarySchema } from '../../api/runs/run.ts';

/** Runs and their rows, to read. */
export function addRunRoutes(app: Api, application: Pick<Application, 'listRuns' | 'findRun' | 'listRows'>): void {
  app.get('/runs', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRuns',
      tags: ['runs'],
      summary: 'Runs of the accounts that you may use, the newest first',
      querystring: runListQuery,
      response: {
        200: json('A page of runs.', runPageSchema),
        ...errorsOf(400),
      },
    },
    handler: async (request) => {
      const { query } = request;
      const runs = await application.listRuns(userOf(request), query);
      return { runs, next: runs.length < query.limit ? null : (runs.at(-1)?.runId ?? null) };
    },
  });

  app.get('/runs/:runId', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getRun',
      tags: ['runs'],
      summary: 'One run: its proposal, its state, its rows by state',
      params: runParams,
      response: { 200: json('The run.', runSummarySchema), ...errorsOf(400, 404) },
    },
    handler: ({ params }) => existingRun(application, params.runId),
  });

  app.get('/runs/:runId/rows', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRows',
      tags: ['runs'],
      summary: 'Rows of a run, in input order',
      description: 'Bank details, reference, purpose and files need the permission read_instructions.',
      params: runParams,
      querystring: rowListQuery,
      response: {
        200: json('A page of rows.', rowPageSchema),
        ...errorsOf(400, 404),
      },
    },
    handler: async (request) => {
      const { params, query } = request;
      await existingRun(application, params.runId);
      const rows = await application.listRows(params.runId, {
        ...query,
        withInstructions: mayReadInstructions(request),
      });
      return { rows, nextAfterLine: rows.length < query.limit ? null : (rows.at(-1)?.line ?? null) };
    },
  });
}
