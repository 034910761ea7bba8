import type { Engine } from '../../client/engine/engine-api.ts';
import { approvalPolicySchema } from '../../domain/approval-policy.ts';
import { userOf } from '../access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../schemas/answers.ts';
import { changeStateSchema } from '../schemas/user.ts';

/** What approvals runs need. */
export function addPolicyRoutes(app: Api, engine: Pick<Engine, 'readPolicy' | 'setPolicy'>): void {
  app.get('/policy', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getPolicy',
      tags: ['users'],
      summary: 'What approvals runs need',
      response: { 200: json('The policy.', approvalPolicySchema), ...refusalsOf() },
    },
    handler: () => engine.readPolicy(),
  });

  app.put('/policy', {
    config: { access: 'manage_users' },
    schema: {
      operationId: 'setPolicy',
      tags: ['users'],
      summary: 'Propose another policy',
      description: 'It takes effect when a second administrator confirms it.',
      body: approvalPolicySchema,
      response: { 200: json('What became of the change.', changeStateSchema), ...refusalsOf(400, 409, 415) },
    },
    handler: (request) => engine.setPolicy(userOf(request), request.body),
  });
}
