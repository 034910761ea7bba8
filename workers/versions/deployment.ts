import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { DEPLOYMENT_NAME } from '../../domain/identifiers.ts';
import { isMissing } from './server-refusal.ts';

/**
 * `current`: new payments start on it, and runs move to it. `draining`: only payments that started on it are left.
 * `drained`: none are left. `inactive`: it has never been current. `ramping`: an operator gave it a share of new
 * workflows with Temporal's own tools.
 */
export type VersionStatus = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

export interface DeploymentVersion {
  buildId: string;
  status: VersionStatus;
}

/** The versions of the deployment, as Temporal describes them. */
export interface Deployment {
  /** Null before the first version was made current. */
  currentBuildId: string | null;
  /** Newest first. */
  versions: DeploymentVersion[];
  /** A change that passes this token fails if the deployment has changed since it was read. */
  conflictToken: Uint8Array;
}

const STATUS = proto.temporal.api.enums.v1.WorkerDeploymentVersionStatus;

const STATUS_OF: Readonly<Record<number, VersionStatus>> = {
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};

/** Null if no payrun worker has ever connected to this namespace. */
export async function readDeployment({ connection, options }: Client): Promise<Deployment | null> {
  try {
    const { workerDeploymentInfo: found, conflictToken } = await connection.workflowService.describeWorkerDeployment({
      namespace: options.namespace,
      deploymentName: DEPLOYMENT_NAME,
    });
    const routing = found?.routingConfig;
    return {
      currentBuildId: routing?.currentDeploymentVersion?.buildId ?? null,
      versions: (found?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
        buildId: deploymentVersion?.buildId ?? '',
        status: STATUS_OF[status ?? 0] ?? 'inactive',
      })),
      conflictToken,
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The task queues that workers of a version have polled, each as `activity <name>` or `workflow <name>`. */
export async function queuesOf({ connection, options }: Client, buildId: string): Promise<Set<string>> {
  try {
    const { versionTaskQueues } = await connection.workflowService.describeWorkerDeploymentVersion({
      namespace: options.namespace,
      deploymentVersion: { deploymentName: DEPLOYMENT_NAME, buildId },
    });
    return new Set(versionTaskQueues.map(({ name, type }) => `${QUEUE_TYPE[type ?? 0] ?? 'other'} ${name ?? ''}`));
  } catch (error) {
    if (isMissing(error)) return new Set();
    throw error;
  }
}

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = proto.temporal.api.enums.v1.TaskQueueType;
const QUEUE_TYPE: Readonly<Record<number, string>> = {
  [TASK_QUEUE_TYPE_ACTIVITY]: 'activity',
  [TASK_QUEUE_TYPE_WORKFLOW]: 'workflow',
};
