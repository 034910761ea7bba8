import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { MetricsPage } from './metrics-listener.ts';

/** Where the core of Temporal's SDK shows its own metrics, on this machine alone. */
export interface CoreMetrics {
  /** For `Runtime.install`. */
  telemetryOptions: {
    metrics: {
      prometheus: {
        bindAddress: string;
        countersTotalSuffix: boolean;
        unitSuffix: boolean;
        useSecondsForDurations: boolean;
      };
    };
  };
  /** The page with those of the core after its own. */
  addTo(page: MetricsPage): MetricsPage;
}

const READ_TIMEOUT_MS = 2_000;

/** The core can only listen by itself: on a free port of loopback, from which the worker's page reads. */
export async function coreMetrics(): Promise<CoreMetrics> {
  const bindAddress = `127.0.0.1:${await freePort()}`;
  return {
    telemetryOptions: {
      metrics: {
        prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      },
    },
    addTo: (page) => ({
      contentType: page.contentType,
      text: async () => `${await page.text()}${await read(`http://${bindAddress}/metrics`)}`,
    }),
  };
}

/** Without them the page has payrun's own. */
async function read(url: string): Promise<string> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) });
    return response.ok ? await response.text() : '';
  } catch {
    return '';
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** Metrics of the core that the dashboard and the documentation refer to. */
export const CORE_METRICS = {
  temporal_activity_schedule_to_start_latency_seconds: 'how long activities waited in the queue, by `task_queue`',
  temporal_activity_execution_latency_seconds: 'how long activities took, by `activity_type`',
  temporal_activity_execution_failed_total: 'activities that failed, by `activity_type`; most are tried again',
  temporal_workflow_task_execution_latency_seconds: 'how long a step of a workflow took to compute, by `workflow_type`',
  temporal_workflow_task_execution_failed_total: 'steps that failed: a bug, or another version is needed',
  temporal_workflow_failed_total: 'workflows that failed, by `workflow_type`: each needs a person',
  temporal_worker_task_slots_available: 'free places for tasks, by `worker_type` and `task_queue`',
  temporal_num_pollers: 'polls that are open, by `poller_type` and `task_queue`',
  temporal_sticky_cache_size: 'workflows in memory',
  temporal_request_failure_total: 'calls of Temporal that failed, by `operation`',
} as const;
