import type { Api } from './api.ts';
import { HttpError } from './http-error.ts';
import { userOf } from './users/access.ts';

/** The metrics of this server, in Prometheus' text format. */
export interface MetricsPage {
  text(): Promise<string>;
  readonly contentType: string;
}

/**
 * For whoever scrapes, with the token of the metrics, and for users who may read the audit trail. They are of all accounts,
 * so not for users who are limited to some.
 */
export function addMetricsRoute(app: Api, metrics: MetricsPage): void {
  app.get('/metrics', {
    config: { access: 'read_audit', acceptsMetricsToken: true },
    schema: { hide: true },
    handler: async (request, reply) => {
      // guard: metrics-of-all-accounts
      if (request.user !== null && userOf(request).accounts !== null) {
        throw new HttpError(403, 'not_allowed', 'the metrics are of all accounts, and you are limited to some');
      }
      const text = await metrics.text();
      return reply.type(metrics.contentType).send(text);
    },
  });
}
