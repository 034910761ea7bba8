import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { AccountLimits } from '../config/account-settings.ts';
import {
  MAIN_TASK_QUEUE,
  NOTIFICATION_TASK_QUEUE,
  providerTaskQueue,
  UPLOAD_TASK_QUEUE,
} from '../domain/identifiers.ts';
import type { Database } from '../store/database/database.ts';
import { readRateLimiterMetrics } from '../store/metrics/rate-limiter-metrics.ts';
import { addMetricSource } from '../telemetry/metric-source.ts';
import type { Metrics, Reading } from '../telemetry/metrics.ts';

interface WorkerMetrics {
  database: Database;
  temporal: Client;
  /** The list in force: accounts may be appended to it. */
  accounts: readonly AccountLimits[];
}

/** Shows the rate limiters of the accounts and what waits in Temporal's queues, read when somebody scrapes. */
export function addWorkerMetrics(metrics: Metrics, { database, temporal, accounts }: WorkerMetrics): void {
  addMetricSource(metrics, {
    source: 'rate_limiter',
    read: () => readRateLimiterMetrics(database),
    show: (rateLimiters) => {
      const readings = (valueOf: (rateLimiter: NonNullable<typeof rateLimiters>[number]) => number): Reading[] =>
        (rateLimiters ?? []).map((rateLimiter) => ({
          labels: { account: rateLimiter.account },
          value: valueOf(rateLimiter),
        }));
      metrics.replace(
        'payrun_rate_limiter_leases_in_use',
        readings((rateLimiter) => rateLimiter.leasesInUse),
      );
      metrics.replace(
        'payrun_rate_limiter_paused_seconds',
        readings((rateLimiter) => rateLimiter.pausedSeconds),
      );
      metrics.replace(
        'payrun_rate_limiter_day_requests',
        readings((rateLimiter) => rateLimiter.dayRequests),
      );
      for (const { name: account, requestsPerSecond, requestsPerDay } of accounts) {
        metrics.set('payrun_rate_limiter_limit_per_second', { account }, requestsPerSecond);
        metrics.set('payrun_rate_limiter_day_limit', { account }, requestsPerDay);
      }
    },
  });
  addMetricSource(metrics, {
    source: 'queues',
    read: async () => {
      const queues = [...SHARED_QUEUES, ...accounts.map(({ name }) => providerTaskQueue(name))];
      return (await Promise.all(queues.map((queue) => readQueue(temporal, queue)))).flat();
    },
    show: (levels) => {
      const readings = (valueOf: (level: QueueLevel) => number): Reading[] =>
        (levels ?? []).map((level) => ({
          labels: { queue: level.queue, priority: level.priority },
          value: valueOf(level),
        }));
      metrics.replace(
        'payrun_queue_waiting',
        readings((level) => level.waiting),
      );
      metrics.replace(
        'payrun_queue_oldest_seconds',
        readings((level) => level.oldestSeconds),
      );
    },
  });
}

const SHARED_QUEUES = [MAIN_TASK_QUEUE, UPLOAD_TASK_QUEUE, NOTIFICATION_TASK_QUEUE];

/** The activities of one priority that wait in a queue. */
interface QueueLevel {
  queue: string;
  priority: string;
  waiting: number;
  oldestSeconds: number;
}

const ACTIVITY = proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
const DEADLINE_MS = 4_000;

async function readQueue(temporal: Client, queue: string): Promise<QueueLevel[]> {
  const described = await temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.describeTaskQueue({
      namespace: temporal.options.namespace,
      taskQueue: { name: queue },
      taskQueueType: ACTIVITY,
      reportStats: true,
    }),
  );
  return Object.entries(described.statsByPriorityKey).map(([priority, stats]) => ({
    queue,
    priority,
    waiting: Number(stats.approximateBacklogCount ?? 0),
    oldestSeconds: Number(stats.approximateBacklogAge?.seconds ?? 0),
  }));
}
