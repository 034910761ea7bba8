import { costEndpoints } from '../../api/treasury/order-endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { TreasuryApplication } from '../../application/treasury/use-cases.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { serve } from '../serve.ts';

export function addCostRoutes(app: Api, application: TreasuryApplication & Pick<Application, 'findRun'>): void {
  serve(app, costEndpoints, {
    readCosts: ({ user, query }) => application.readCosts(user, query),
    readRunCosts: async ({ params: { runId } }) => {
      await existingRun(application, runId);
      return { costs: await application.readRunCosts(runId) };
    },
  });
}
