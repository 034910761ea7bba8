import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import proto from '@temporalio/proto';
import { ENGINE_TASK_QUEUE } from '../../domain/identifiers.ts';
import { DEPLOYMENT_NAME } from './deployment.ts';

/** A worker that has not asked for work for so long is taken to be gone: it asks at least once a minute. */
const GONE_AFTER_MS = 150_000;

/** What still runs on a version and stays there: payments, and for seconds the fetching of lists. */
function pinnedTo(buildId: string): string {
  return (
    `TemporalWorkerDeploymentVersion = '${DEPLOYMENT_NAME}:${buildId}'` +
    " AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'"
  );
}

/** How many open workflows are pinned to a version. Temporal counts a moment behind. */
export async function countPinned(client: Client, buildId: string): Promise<number> {
  return (await client.workflow.count(pinnedTo(buildId))).count;
}

/** The open workflows that are pinned to a version, as far as Temporal lists them by now. */
export function listPinned(client: Client, buildId: string): AsyncIterable<WorkflowExecutionInfo> {
  return client.workflow.list({ query: pinnedTo(buildId) });
}

/** The builds whose workers ask for workflow tasks, by what Temporal remembers of the last minutes. */
export async function servedBuilds({ connection, options }: Client, nowMs: number): Promise<Set<string>> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace: options.namespace,
    taskQueue: { name: ENGINE_TASK_QUEUE },
    taskQueueType: proto.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  const served = new Set<string>();
  for (const { deploymentOptions, lastAccessTime } of pollers) {
    const lastAskedMs = Number(lastAccessTime?.seconds ?? 0) * 1_000;
    if (deploymentOptions?.deploymentName !== DEPLOYMENT_NAME || nowMs - lastAskedMs >= GONE_AFTER_MS) continue;
    served.add(deploymentOptions.buildId ?? '');
  }
  return served;
}
