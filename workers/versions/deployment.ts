import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { isMissing } from './server-refusal.ts';

/** The deployment that all of payrun's workers belong to, whichever queue they serve: each build is a version of it. */
export const DEPLOYMENT_NAME = 'payrun';

/**
 * `current`: new payments begin on it, and runs go over to it. `ramping`: the same for a part of them. `draining`: only
 * payments that began on it are left. `drained`: none is. `inactive`: it has never been current.
 */
export type VersionStatus = 'inactive' | 'current' | 'ramping' | 'draining' | 'drained';

export interface DeploymentVersion {
  buildId: string;
  status: VersionStatus;
}

/** The versions of a deployment as Temporal knows them. */
export interface Deployment {
  /** Null before the first version was made current. */
  currentBuildId: string | null;
  /** Newest first. */
  versions: DeploymentVersion[];
  /** Null: no version is being tried on a part of the payments. */
  ramp: { buildId: string; percent: number } | null;
  /** Lets a change fail that was decided on an older state than the server's. */
  conflictToken: Uint8Array;
}

const STATUS = proto.temporal.api.enums.v1.WorkerDeploymentVersionStatus;

const STATUS_OF: Readonly<Record<number, VersionStatus>> = {
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};

/** Null while no worker of payrun has ever come to this namespace. */
export async function readDeployment({ connection, options }: Client): Promise<Deployment | null> {
  try {
    const { workerDeploymentInfo: found, conflictToken } = await connection.workflowService.describeWorkerDeployment({
      namespace: options.namespace,
      deploymentName: DEPLOYMENT_NAME,
    });
    const routing = found?.routingConfig;
    const ramping = routing?.rampingDeploymentVersion?.buildId ?? '';
    return {
      currentBuildId: routing?.currentDeploymentVersion?.buildId ?? null,
      versions: (found?.versionSummaries ?? []).map(({ deploymentVersion, status }) => ({
        buildId: deploymentVersion?.buildId ?? '',
        status: STATUS_OF[status ?? 0] ?? 'inactive',
      })),
      ramp: ramping === '' ? null : { buildId: ramping, percent: routing?.rampingVersionPercentage ?? 0 },
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
