import type { Client } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { AccountLimits } from '../config/account-settings.ts';
import type { Environment } from '../config/environment.ts';
import { tracesEndpoint } from '../config/metrics-fields.ts';
import { VERSION } from '../config/version.ts';
import type { Database } from '../store/database/database.ts';
import { type CoreMetrics, coreMetrics } from '../telemetry/core-metrics.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { listenForScrapes, type MetricsListener } from '../telemetry/metrics-listener.ts';
import { addPoolMetrics } from '../telemetry/observers.ts';
import { startTracing, type Tracing } from '../telemetry/tracing.ts';
import { measuredActivities } from './measured-activities.ts';
import { addWorkerMetrics } from './worker-metrics.ts';

/** What a worker measures, and where it shows it. */
export interface WorkerTelemetry {
  metrics: Metrics;
  tracing: Tracing | null;
  activityInterceptors: ActivityInterceptorsFactory[];
  /** For the runtime of Temporal's SDK. */
  telemetryOptions: Partial<CoreMetrics['telemetryOptions']>;
  /** Shows the metrics of these services, and listens if that is configured. */
  show(services: { database: Database; temporal: Client; accounts: readonly AccountLimits[] }): Promise<void>;
  stop(): Promise<void>;
}

/** Throws, with what to do, when the port of the metrics is taken. */
export async function startWorkerTelemetry(
  environment: Environment,
  { buildId, log }: { buildId: string; log: Logger },
): Promise<WorkerTelemetry> {
  const { PAYRUN_METRICS_HOST: host, PAYRUN_METRICS_PORT: port, PAYRUN_METRICS_TOKEN: token } = environment;
  const metrics = createMetrics('worker', { version: VERSION, build: buildId });
  const endpoint = tracesEndpoint(environment);
  const tracing = endpoint === null ? null : startTracing({ process: 'worker', version: VERSION, endpoint });
  const core = port === undefined ? null : await coreMetrics();
  const listening: { listener: MetricsListener | null } = { listener: null };
  return {
    metrics,
    tracing,
    activityInterceptors: measuredActivities(metrics, tracing),
    telemetryOptions: core?.telemetryOptions ?? {},
    show: async ({ database, temporal, accounts }) => {
      addPoolMetrics(metrics, database);
      addWorkerMetrics(metrics, { database, temporal, accounts });
      if (port === undefined) return;
      const page = core === null ? metrics : core.addTo(metrics);
      listening.listener = await listenForScrapes(page, { host, port, token: token ?? null });
      log.info({ url: listening.listener.url }, 'metrics are shown');
    },
    stop: async () => {
      await listening.listener?.close();
      await tracing?.stop();
    },
  };
}
