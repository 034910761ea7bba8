import { z } from 'zod';
import type { Engine } from '../../client/engine/engine-api.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../existing-run.ts';
import { json, refusalsOf } from '../schemas/answers.ts';
import { auditEntrySchema, auditHeadInQuery, auditReportSchema } from '../schemas/audit.ts';
import { countInQuery, runParams } from '../schemas/run.ts';

const entryPage = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
  rowRef: z.string().min(1).max(200).nullable().default(null).describe('Only what concerns rows of this reference.'),
});

/** The audit trail: that of a run, and whether all of it is as it was written. */
export function addAuditRoutes(app: Api, engine: Pick<Engine, 'findRun' | 'listAudit' | 'verifyAudit'>): void {
  app.get('/runs/:runId/audit', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listAudit',
      tags: ['audit'],
      summary: 'What happened to a run and its rows, in the order of the facts',
      params: runParams,
      querystring: entryPage,
      response: {
        200: json(
          'A page of entries.',
          z.object({
            entries: z.array(auditEntrySchema),
            nextAfterEntry: z.int().nullable().describe('`afterEntry` of the next page; null: this is the last.'),
          }),
        ),
        ...refusalsOf(400, 404),
      },
    },
    handler: async ({ params, query }) => {
      await existingRun(engine, params.runId);
      const entries = await engine.listAudit(params.runId, query);
      return { entries, nextAfterEntry: entries.length < query.limit ? null : (entries.at(-1)?.entryId ?? null) };
    },
  });

  app.get('/audit/verification', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'verifyAudit',
      tags: ['audit'],
      summary: 'Whether the whole audit trail is as it was written',
      description: 'Recomputes the chain from the first entry on, one request at a time: this takes a while.',
      querystring: z.object({ head: auditHeadInQuery }),
      response: { 200: json('What was found.', auditReportSchema), ...refusalsOf(400) },
    },
    handler: ({ query }) => engine.verifyAudit(query.head),
  });
}
