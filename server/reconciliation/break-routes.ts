import { breakEndpoints } from '../../api/reconciliation/endpoints.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/use-cases.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addBreakRoutes(app: Api, application: ReconciliationApplication): void {
  serve(app, breakEndpoints, {
    listBreaks: async ({ user, query }) => ({ breaks: await application.listBreaks(user, query) }),
    assignBreak: ({ user, params: { breakId }, body: { login } }) => application.assignBreak(user, breakId, login),
    explainBreak: ({ user, params: { breakId }, body: { reason } }) => application.explainBreak(user, breakId, reason),
    closeBreak: ({ user, params: { breakId }, body: { explanationId } }) =>
      application.closeBreak(user, breakId, explanationId),
    reopenBreak: ({ user, params: { breakId }, body: { reason } }) => application.reopenBreak(user, breakId, reason),
  });
}
