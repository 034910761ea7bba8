import { z } from 'zod';
import type { Engine } from '../../client/engine/engine-api.ts';
import { actorOf } from '../access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../schemas/answers.ts';
import { runParams, runSchema } from '../schemas/run.ts';

const contentHash = z
  .string()
  .max(128)
  .nullable()
  .default(null)
  .describe('The hash of the proposal that was seen. A run that has changed since is refused.');
const comment = z.string().trim().max(2000);

const approval = z.strictObject({ comment: comment.nullable().default(null), contentHash });
const rejection = z.strictObject({ comment: comment.min(1, 'must say why the run is rejected'), contentHash });

/** Approving and rejecting runs. Who may decide on which run is the engine's rule; here only the role is checked. */
export function addDecisionRoutes(app: Api, engine: Pick<Engine, 'approveRun' | 'rejectRun'>): void {
  app.post('/runs/:runId/approve', {
    config: { access: 'decide_run' },
    preValidation: (request, _reply, done) => {
      // An approval without a comment has nothing to say in its body, so it may have none.
      const body: unknown = request.body;
      if (body === undefined || body === null) request.body = approval.parse({});
      done();
    },
    schema: {
      operationId: 'approveRun',
      tags: ['decisions'],
      summary: 'Approve a run',
      description: 'Counts for the content that was proposed, and only that. Makers never approve their own runs.',
      params: runParams,
      body: approval,
      response: { 200: json('The run after the decision.', runSchema), ...refusalsOf(400, 404, 409, 415) },
    },
    handler: (request) => engine.approveRun(actorOf(request), request.params.runId, request.body),
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
      response: { 200: json('The run after the decision.', runSchema), ...refusalsOf(400, 404, 409, 415) },
    },
    handler: (request) => engine.rejectRun(actorOf(request), request.params.runId, request.body),
  });
}
