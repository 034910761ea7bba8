import { actionEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addActionRoutes(app: Api, application: Pick<Application, 'actionsOf'>): void {
  serve(app, actionEndpoints, { listActions: ({ user, query }) => application.actionsOf(user, query.of) });
}
