import { z } from 'zod';
import type { AuditEntrySummary, AuditPage } from '../../api/audit/audit.ts';
import type { Application } from '../../application/application-api.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { userOf } from '../users/access.ts';
import {
  auditPageSchema,
  auditVerificationQuery,
  auditReportSchema,
  globalAuditQuery,
  remarkParams,
  runAuditQuery,
} from '../../api/audit/audit.ts';
import { runParams } from '../../api/runs/run.ts';

function pageOf(entries: AuditEntrySummary[], limit: number): AuditPage {
  return { entries, nextAfterEntry: entries.length < limit ? null : (entries.at(-1)?.entryId ?? null) };
}

type AuditApplication = Pick<Application, 'findRun' | 'listAudit' | 'listGlobalAudit' | 'verifyAudit' | 'eraseRemark'>;

/** The audit trail: of a run, of everything else, and whether it is unbroken. */
export function addAuditRoutes(app: Api, application: AuditApplication): void {
  app.get('/runs/:runId/audit', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listAudit',
      tags: ['audit'],
      summary: 'What happened to a run and its rows, in order',
      params: runParams,
      querystring: runAuditQuery,
      response: {
        200: json('A page of entries.', auditPageSchema),
        ...errorsOf(400, 404),
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
      summary: 'Entries that belong to no run: users, tokens, policy, sign-ins, stops',
      querystring: globalAuditQuery,
      response: { 200: json('A page of entries.', auditPageSchema), ...errorsOf(400) },
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
      response: { 204: z.undefined().describe('It is erased.'), ...errorsOf(400, 404) },
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
      querystring: auditVerificationQuery,
      response: { 200: json('What was found.', auditReportSchema), ...errorsOf(400) },
    },
    handler: ({ query }) => application.verifyAudit(query.head),
  });
}
