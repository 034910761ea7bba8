import { stopEndpoints } from '../../api/approvals/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

type StoppingApplication = Pick<Application, 'stopPayments' | 'liftStop' | 'cancelRun' | 'listStops'>;

export function addStopRoutes(app: Api, application: StoppingApplication): void {
  serve(app, stopEndpoints, {
    listStops: async ({ user }) => ({ stops: await application.listStops(user) }),
    stopPayments: ({ user, body: { reason, ...of } }) => application.stopPayments(user, of, reason),
    stopRun: ({ user, params: { runId }, body: { reason } }) =>
      application.stopPayments(user, { scope: 'run', runId }, reason),
    cancelRun: ({ user, params: { runId }, body: { reason } }) => application.cancelRun(user, runId, reason),
    liftStop: ({ user, params: { stopId }, body }) => application.liftStop(user, stopId, body),
  });
}
