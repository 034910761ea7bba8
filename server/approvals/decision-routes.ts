import { decisionEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addDecisionRoutes(
  app: Api,
  application: Pick<Application, 'approveRun' | 'rejectRun' | 'withdrawRun'>,
): void {
  serve(app, decisionEndpoints, {
    approveRun: ({ user, params: { runId }, body }) => application.approveRun(user, runId, body),
    rejectRun: ({ user, params: { runId }, body }) => application.rejectRun(user, runId, body),
    withdrawRun: ({ user, params: { runId }, body: { reason } }) => application.withdrawRun(user, runId, reason),
  });
}
