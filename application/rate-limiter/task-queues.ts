import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { RateLimiter } from '../../api/rate-limiter/rate-limiter.ts';

const TYPES = proto.temporal.api.enums.v1.TaskQueueType;
const DEADLINE_MS = 4_000;

/** Activities that wait in a queue, by priority, the most urgent first. */
export async function readWaiting(temporal: Client, queue: string): Promise<NonNullable<RateLimiter['waiting']>> {
  const { statsByPriorityKey } = await describe(temporal, queue, 'activity');
  return Object.entries(statsByPriorityKey)
    .map(([priority, stats]) => ({
      priority: Number(priority),
      count: Number(stats.approximateBacklogCount ?? 0),
      oldestSeconds: Number(stats.approximateBacklogAge?.seconds ?? 0),
    }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => one.priority - other.priority);
}

export interface Poller {
  identity: string;
  buildId: string | null;
  lastSeenMs: number;
}

/** Who has polled a queue in the last minutes. */
export async function readPollers(temporal: Client, queue: string, type: 'workflow' | 'activity'): Promise<Poller[]> {
  const { pollers } = await describe(temporal, queue, type);
  return pollers.map(({ identity, deploymentOptions, lastAccessTime }) => ({
    identity: identity ?? '',
    buildId: deploymentOptions?.buildId || null,
    lastSeenMs: Number(lastAccessTime?.seconds ?? 0) * 1_000,
  }));
}

function describe(temporal: Client, queue: string, type: 'workflow' | 'activity') {
  return temporal.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.describeTaskQueue({
      namespace: temporal.options.namespace,
      taskQueue: { name: queue },
      taskQueueType: type === 'workflow' ? TYPES.TASK_QUEUE_TYPE_WORKFLOW : TYPES.TASK_QUEUE_TYPE_ACTIVITY,
      reportStats: true,
    }),
  );
}
