import { changeEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addChangeRoutes(app: Api, application: Pick<Application, 'listChanges' | 'decideChange'>): void {
  serve(app, changeEndpoints, {
    listChanges: async ({ query: { pending, limit } }) => ({
      changes: await application.listChanges({ pendingOnly: pending, limit }),
    }),
    confirmChange: ({ user, params: { changeId } }) => application.decideChange(user, changeId, true),
    rejectChange: ({ user, params: { changeId } }) => application.decideChange(user, changeId, false),
  });
}
