import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import proto from '@temporalio/proto';
import { DEPLOYMENT_NAME, MAIN_TASK_QUEUE, pinnedTo } from '../../domain/identifiers.ts';

/** A worker polls at least once a minute: one that has not polled for this long counts as stopped. */
const STOPPED_AFTER_MS = 150_000;

/** The number of open workflows that are pinned to a version. Temporal updates it with a short delay. */
export async function countPinned(client: Client, buildId: string): Promise<number> {
  return (await client.workflow.count(pinnedTo(buildId))).count;
}

/** The open workflows that are pinned to a version. Temporal lists them with a short delay. */
export function listPinned(client: Client, buildId: string): AsyncIterable<WorkflowExecutionInfo> {
  return client.workflow.list({ query: pinnedTo(buildId) });
}

/** The builds whose workers have polled for workflow tasks in the last 2.5 minutes. */
export async function listServedBuilds({ connection, options }: Client, nowMs: number): Promise<Set<string>> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: MAIN_TASK_QUEUE },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  const served = new Set<string>();
  for (const { deploymentOptions, lastAccessTime } of pollers) {
    const lastPolledMs = Number(lastAccessTime?.seconds ?? 0) * 1_000;
    if (deploymentOptions?.deploymentName !== DEPLOYMENT_NAME || nowMs - lastPolledMs >= STOPPED_AFTER_MS) continue;
    served.add(deploymentOptions.buildId ?? '');
  }
  return served;
}
