import { z } from 'zod';
import type { AuditEntrySummary } from '../../application/audit/audit-api.ts';
import type { Application } from '../../application/application-api.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { json, refusalsOf } from '../../api/answers.ts';
import { userOf } from '../users/access.ts';
import { auditEntrySchema, auditHeadInQuery, auditReportSchema } from '../../api/audit/audit.ts';
import { remarkParams } from '../../api/users/user.ts';
import { countInQuery, runParams } from '../../api/runs/run.ts';

const entryPage = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
  rowRef: z.string().min(1).max(200).nullable().default(null).describe('Only what concerns rows of this reference.'),
});

const globalPage = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
  kind: z.string().min(1).max(100).nullable().default(null).describe('Only entries of this kind.'),
  from: z.string().max(40).nullable().default(null).describe('Only entries since this day or time, ISO 8601.'),
});

const entriesPage = z.object({
  entries: z.array(auditEntrySchema),
  nextAfterEntry: z.int().nullable().describe('`afterEntry` of the next page; null: this is the last.'),
});

function pageOf(entries: AuditEntrySummary[], limit: number): z.infer<typeof entriesPage> {
  return { entries, nextAfterEntry: entries.length < limit ? null : (entries.at(-1)?.entryId ?? null) };
}

type AuditApplication = Pick<Application, 'findRun' | 'listAudit' | 'listGlobalAudit' | 'verifyAudit' | 'eraseRemark'>;

/** The audit trail: that of a run, what belongs to none, and whether all of it is as it was written. */
export function addAuditRoutes(app: Api, application: AuditApplication): void {
  app.get('/runs/:runId/audit', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listAudit',
      tags: ['audit'],
      summary: 'What happened to a run and its rows, in the order of the facts',
      params: runParams,
      querystring: entryPage,
      response: {
        200: json('A page of entries.', entriesPage),
        ...refusalsOf(400, 404),
      },
    },
    handler: async ({ params, query }) => {
      await existingRun(application, params.runId);
      return pageOf(await application.listAudit(params.runId, query), query.limit);
    },
  });

  app.get('/audit', {
    config: { access: 'read_audit' },
    schema: {
      operationId: 'listGlobalAudit',
      tags: ['audit'],
      summary: 'What belongs to no run: users, tokens, policy, sign-ins, stops',
      querystring: globalPage,
      response: { 200: json('A page of entries.', entriesPage), ...refusalsOf(400) },
    },
    handler: async ({ query }) => pageOf(await application.listGlobalAudit(query), query.limit),
  });

  app.delete('/remarks/:remarkId', {
    config: { access: 'erase_remark' },
    schema: {
      operationId: 'eraseRemark',
      tags: ['audit'],
      summary: 'Erase what a person wrote; its hash stays in the audit trail',
      params: remarkParams,
      response: { 204: z.undefined().describe('It is erased.'), ...refusalsOf(400, 404) },
    },
    handler: async (request, reply) => {
      await application.eraseRemark(userOf(request), request.params.remarkId);
      return reply.code(204).send();
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
    handler: ({ query }) => application.verifyAudit(query.head),
  });
}
