import type { Application } from '../../application/application-api.ts';
import { mayReadInstructions, userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { orNotFound } from '../../application/application-error.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { actionableRowSchema } from '../../api/runs/row-detail.ts';
import { rowLineParams } from '../../api/runs/row.ts';
import { runDetailSchema, runListQuery, runPageSchema, runParams } from '../../api/runs/run.ts';

/** Runs and their rows, to read. */
export function addRunRoutes(
  app: Api,
  application: Pick<Application, 'listRuns' | 'findRunFor' | 'findRowByLine'>,
): void {
  app.get('/runs', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRuns',
      tags: ['runs'],
      summary: 'Runs of the accounts that you may use, the newest first unless another order is asked for',
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
      response: { 200: json('The run, and what you may do with it.', runDetailSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const { runId } = request.params;
      return orNotFound(await application.findRunFor(userOf(request), runId), `there is no run ${runId}`);
    },
  });

  app.get('/runs/:runId/row/:line', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getRowByLine',
      tags: ['runs'],
      summary: 'The row on a line of the file, with its evidence and what you may do with it',
      description: 'A row_ref may repeat among invalid rows; a line does not. Bank details need read_instructions.',
      params: rowLineParams,
      response: { 200: json('The row.', actionableRowSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const may = { withInstructions: mayReadInstructions(request) };
      const row = await application.findRowByLine(userOf(request), request.params, may);
      return orNotFound(row, 'there is no row on this line of the run');
    },
  });
}
