import type { Environment } from '../config/environment.ts';
import { tracesEndpoint } from '../config/metrics-fields.ts';
import { VERSION } from '../config/version.ts';
import type { AppOptions } from '../server/app.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { startTracing, type Tracing } from '../telemetry/tracing.ts';

/** What a server measures. */
export interface ServerTelemetry {
  metrics: Metrics;
  tracing: Tracing | null;
  observer: NonNullable<AppOptions['observer']>;
}

export function startServerTelemetry(environment: Environment): ServerTelemetry {
  const metrics = createMetrics('server', { version: VERSION, build: '' });
  const endpoint = tracesEndpoint(environment);
  return {
    metrics,
    tracing: endpoint === null ? null : startTracing({ process: 'server', version: VERSION, endpoint }),
    observer: {
      answered: ({ method, route, status }, seconds) => {
        const labels = { method, route: route ?? 'none', status: `${Math.floor(status / 100)}xx` };
        metrics.observe('payrun_http_request_duration_seconds', labels, seconds);
      },
      webhookReceived: (webhook) => metrics.add('payrun_webhooks_received_total', webhook),
      webhookRejected: (reason) => metrics.add('payrun_webhooks_rejected_total', { reason }),
    },
  };
}
