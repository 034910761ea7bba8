import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../../api/answers.ts';
import { runParams, runSchema } from '../../api/runs/run.ts';
import { reasonSchema } from '../../api/approvals/stop.ts';

const contentHash = z
  .string('give the hash of the proposal that was seen')
  .regex(/^[0-9a-f]{64}$/, 'give the hash of the proposal that was seen, 64 characters')
  .describe('The hash of the proposal that was seen. A run that has changed since is refused.');
const comment = z.string().trim().max(2000);

const approval = z.strictObject({ comment: comment.nullable().default(null), contentHash });
const rejection = z.strictObject({ comment: comment.min(1, 'must say why the run is rejected'), contentHash });

const decided = z
  .object({
    run: runSchema,
    step: z.int().nullable().describe('Of an approval: which step of the policy it was, from 1.'),
    steps: z.int().nullable().describe('How many steps the policy asks for.'),
  })
  .meta({ id: 'DecidedRun' });

type DecidingApplication = Pick<Application, 'approveRun' | 'rejectRun' | 'withdrawRun'>;

/** Approving, rejecting and withdrawing runs. Who may do so with which run is decided by the record. */
export function addDecisionRoutes(app: Api, application: DecidingApplication): void {
  app.post('/runs/:runId/approve', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'approveRun',
      tags: ['decisions'],
      summary: 'Approve a run',
      description: 'Counts for the content that was seen, and only that. Makers never approve their own runs.',
      params: runParams,
      body: approval,
      response: { 200: json('The run after the decision.', decided), ...refusalsOf(400, 404, 409, 415) },
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
      body: rejection,
      response: { 200: json('The run after the decision.', decided), ...refusalsOf(400, 404, 409, 415) },
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
      response: { 200: json('The run afterwards.', runSchema), ...refusalsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.withdrawRun(userOf(request), request.params.runId, request.body.reason),
  });
}
