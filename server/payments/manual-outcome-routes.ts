import { paymentEndpoints } from '../../api/payments/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { mayReadInstructions } from '../users/access.ts';

type ResolvingApplication = Pick<
  Application,
  'findRow' | 'proposeManualOutcome' | 'confirmManualOutcome' | 'rejectManualOutcome'
>;

export function addManualOutcomeRoutes(app: Api, application: ResolvingApplication): void {
  serve(app, paymentEndpoints, {
    getRow: async ({ user: { accounts }, params: { runId, rowRef }, request }) => {
      const may = { withInstructions: mayReadInstructions(request), accounts };
      const row = await application.findRow(runId, rowRef, may);
      return orNotFound(row, 'there is no such row in this run');
    },
    proposeManualOutcome: ({ user, params, body }) => application.proposeManualOutcome(user, params, body),
    confirmManualOutcome: ({ user, params, body }) => application.confirmManualOutcome(user, params, body),
    rejectManualOutcome: ({ user, params, body }) => application.rejectManualOutcome(user, params, body),
  });
}
