import { paymentEndpoints } from '../../api/payments/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { mayReadInstructions } from '../users/access.ts';

type ResolvingApplication = Pick<Application, 'findRow' | 'proposeResolution' | 'confirmResolution' | 'denyResolution'>;

export function addResolutionRoutes(app: Api, application: ResolvingApplication): void {
  serve(app, paymentEndpoints, {
    getRow: async ({ params: { runId, rowRef }, request }) => {
      const row = await application.findRow(runId, rowRef, { withInstructions: mayReadInstructions(request) });
      return orNotFound(row, 'there is no such row in this run');
    },
    proposeResolution: ({ user, params, body }) => application.proposeResolution(user, params, body),
    confirmResolution: ({ user, params, body }) => application.confirmResolution(user, params, body),
    denyResolution: ({ user, params, body }) => application.denyResolution(user, params, body),
  });
}
