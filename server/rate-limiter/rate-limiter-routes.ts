import { rateLimiterEndpoints } from '../../api/rate-limiter/endpoints.ts';
import type { OperationsApplication } from '../../application/operation-use-cases.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addRateLimiterRoutes(
  app: Api,
  application: Pick<OperationsApplication, 'readRateLimiters' | 'readWorkers'>,
): void {
  serve(app, rateLimiterEndpoints, {
    listRateLimiters: ({ user }) => application.readRateLimiters(user),
    listWorkers: () => application.readWorkers(),
  });
}
