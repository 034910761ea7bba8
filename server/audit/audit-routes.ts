import type { AuditEntrySummary, AuditPage } from '../../api/audit/audit.ts';
import { auditEndpoints } from '../../api/audit/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { serve } from '../serve.ts';

type AuditApplication = Pick<Application, 'findRun' | 'listAudit' | 'listGlobalAudit' | 'verifyAudit' | 'eraseRemark'>;

export function addAuditRoutes(app: Api, application: AuditApplication): void {
  serve(app, auditEndpoints, {
    listAudit: async ({ params: { runId }, query }) => {
      await existingRun(application, runId);
      return pageOf(await application.listAudit(runId, query), query.limit);
    },
    listGlobalAudit: async ({ query }) => pageOf(await application.listGlobalAudit(query), query.limit),
    eraseRemark: ({ user, params: { remarkId } }) => application.eraseRemark(user, remarkId),
    verifyAudit: ({ query: { head } }) => application.verifyAudit(head),
  });
}

function pageOf(entries: AuditEntrySummary[], limit: number): AuditPage {
  return { entries, nextAfterEntry: entries.length < limit ? null : (entries.at(-1)?.entryId ?? null) };
}
