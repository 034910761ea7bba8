import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';
import { mayReadInstructions } from '../users/access.ts';
import type { Api } from '../api.ts';
import { existingRun } from './existing-run.ts';
import { json, refusalsOf } from '../../api/answers.ts';
import { countInQuery, rowSchema, runIdSchema, runParams, runSchema } from '../../api/runs/run.ts';

const runPage = z.object({
  limit: countInQuery(1, 200, 50),
  before: runIdSchema.nullable().default(null).describe('As `next` of the page before.'),
});

const rowPage = z.object({
  limit: countInQuery(1, 1000, 200),
  afterLine: countInQuery(0, 999_999_999, 0),
  state: z.enum(PAYMENT_STATES).nullable().default(null).describe('Only rows in this state.'),
});

/** Runs and their rows, to read. */
export function addRunRoutes(app: Api, application: Pick<Application, 'listRuns' | 'findRun' | 'listRows'>): void {
  app.get('/runs', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRuns',
      tags: ['runs'],
      summary: 'Runs, the newest first',
      querystring: runPage,
      response: {
        200: json('A page of runs.', z.object({ runs: z.array(runSchema), next: z.string().nullable() })),
        ...refusalsOf(400),
      },
    },
    handler: async ({ query }) => {
      const runs = await application.listRuns(query);
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
      response: { 200: json('The run.', runSchema), ...refusalsOf(400, 404) },
    },
    handler: ({ params }) => existingRun(application, params.runId),
  });

  app.get('/runs/:runId/rows', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listRows',
      tags: ['runs'],
      summary: 'Rows of a run, in input order',
      description: 'Bank details, reference, purpose and files are for those who may read instructions.',
      params: runParams,
      querystring: rowPage,
      response: {
        200: json(
          'A page of rows.',
          z.object({
            rows: z.array(rowSchema),
            nextAfterLine: z.int().nullable().describe('`afterLine` of the next page; null: this is the last.'),
          }),
        ),
        ...refusalsOf(400, 404),
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
