import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { approvalSchema, decidedRunSchema, rejectionSchema } from '../../api/approvals/decision.ts';
import { runParams, runSummarySchema } from '../../api/runs/run.ts';
import { reasonSchema } from '../../api/approvals/stop.ts';

type DecidingApplication = Pick<Application, 'approveRun' | 'rejectRun' | 'withdrawRun'>;

/** Approving, rejecting and withdrawing runs. The database decides who may do so with which run. */
export function addDecisionRoutes(app: Api, application: DecidingApplication): void {
  // guard: approve-route (2 lines)
  app.post('/runs/:runId/approve', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'approveRun',
      tags: ['decisions'],
      summary: 'Approve a run',
      description: 'Applies only to the content that was seen. Makers never approve their own runs.',
      params: runParams,
      body: approvalSchema,
      response: { 200: json('The run after the decision.', decidedRunSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.approveRun(userOf(request), request.params.runId, request.body),
  });

  app.post('/runs/:runId/reject', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'rejectRun',
      tags: ['decisions'],
      summary: 'Reject a run',
      description: 'Ends the run without paying any of it. The comment says why.',
      params: runParams,
      body: rejectionSchema,
      response: { 200: json('The run after the decision.', decidedRunSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.rejectRun(userOf(request), request.params.runId, request.body),
  });

  app.post('/runs/:runId/withdraw', {
    config: { access: 'submit_run' },
    schema: {
      operationId: 'withdrawRun',
      tags: ['decisions'],
      summary: 'Withdraw a run of your own that nobody has decided on',
      description: 'Nothing of it is ever paid, and its references are free again.',
      params: runParams,
      body: reasonSchema,
      response: { 200: json('The run afterwards.', runSummarySchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.withdrawRun(userOf(request), request.params.runId, request.body.reason),
  });
}
