import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { changeListQuery, changeListSchema, changeParams, changeStateSchema } from '../../api/approvals/change.ts';

/** Changes of users, policy and provider that take two administrators. */
export function addChangeRoutes(app: Api, application: Pick<Application, 'listChanges' | 'decideChange'>): void {
  app.get('/changes', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listChanges',
      tags: ['users'],
      summary: 'Changes of users, policy and provider that take two administrators, the newest first',
      querystring: changeListQuery,
      response: { 200: json('The changes.', changeListSchema), ...errorsOf(400) },
    },
    handler: async ({ query }) => ({
      changes: await application.listChanges({ pendingOnly: query.pending === 'true', limit: query.limit }),
    }),
  });

  for (const [verb, isConfirmed, access] of [
    ['confirm', true, 'confirm_change'],
    ['reject', false, 'object_to_change'],
  ] as const) {
    app.post(`/changes/:changeId/${verb}`, {
      config: { access },
      schema: {
        operationId: `${verb}Change`,
        tags: ['users'],
        summary: isConfirmed ? 'Confirm a change that another administrator has proposed' : 'Reject a change',
        params: changeParams,
        response: { 200: json('The change afterwards.', changeStateSchema), ...errorsOf(400, 404, 409) },
      },
      handler: (request) => application.decideChange(userOf(request), request.params.changeId, isConfirmed),
    });
  }
}
