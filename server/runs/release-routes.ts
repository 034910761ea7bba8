import { releaseEndpoints } from '../../api/runs/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addReleaseRoutes(app: Api, application: Pick<Application, 'releaseRow'>): void {
  serve(app, releaseEndpoints, {
    releaseRow: ({ user, params, body }) => application.releaseRow(user, params, body),
  });
}
