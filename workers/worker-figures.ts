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
import { readGateFigures } from '../store/figures/gate-figures.ts';
import { addFigureSource } from '../telemetry/figure-source.ts';
import type { Metrics, Reading } from '../telemetry/metrics.ts';

interface WorkerFigures {
  database: Database;
  temporal: Client;
  /** The list in force: accounts may be appended to it. */
  accounts: readonly AccountLimits[];
}

/** Shows the gates of the accounts and what waits in Temporal's queues, read when somebody scrapes. */
export function addWorkerFigures(metrics: Metrics, { database, temporal, accounts }: WorkerFigures): void {
  addFigureSource(metrics, {
    source: 'gate',
    read: () => readGateFigures(database),
    show: (gates) => {
      const readings = (valueOf: (gate: NonNullable<typeof gates>[number]) => number): Reading[] =>
        (gates ?? []).map((gate) => ({ labels: { account: gate.account }, value: valueOf(gate) }));
      metrics.replace(
        'payrun_gate_slots_in_use',
        readings((gate) => gate.slotsInUse),
      );
      metrics.replace(
        'payrun_gate_paused_seconds',
        readings((gate) => gate.pausedSeconds),
      );
      metrics.replace(
        'payrun_gate_day_requests',
        readings((gate) => gate.dayRequests),
      );
      for (const { name: account, requestsPerSecond, requestsPerDay } of accounts) {
        metrics.set('payrun_gate_limit_per_second', { account }, requestsPerSecond);
        metrics.set('payrun_gate_day_limit', { account }, requestsPerDay);
      }
    },
  });
  addFigureSource(metrics, {
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
