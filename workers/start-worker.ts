import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import {
  createEngineActivities,
  createProviderActivities,
  createUploadActivities,
} from '../activities/create-activities.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { ENGINE_TASK_QUEUE, providerTaskQueue, UPLOAD_TASK_QUEUE } from '../domain/identifiers.ts';
import type { ProviderAccount } from '../config/account-settings.ts';
import { DEPLOYMENT_NAME } from './versions/deployment.ts';

/** Enough for every slot of the gate to have a request waiting: what waits longer waits in Temporal, by priority. */
function requestsAtOnce({ requestsPerSecond }: ProviderAccount): number {
  return requestsPerSecond === 0 ? 40 : Math.min(Math.max(requestsPerSecond, 2), 100);
}

/** Each holds its file in memory. */
const UPLOADS_AT_ONCE = 8;

const SHUTDOWN_GRACE = '10 seconds';
const CACHED_WORKFLOWS = 1_000;

export interface RunningWorkers {
  /** Rejects when a worker fails; resolves after `stop`. */
  done: Promise<void>;
  stop(): void;
}

/** The workers of one process: for the workflows and payrun's own activities, for uploads, and for each provider account. */
export async function startWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  bundlePath: string;
  /** The version of the deployment that these workers are. */
  buildId: string;
  accounts: readonly ProviderAccount[];
  dependencies: ActivityDependencies;
}): Promise<RunningWorkers> {
  const { connection, namespace, accounts, dependencies } = options;
  const workerDeploymentOptions: WorkerDeploymentOptions = {
    useWorkerVersioning: true,
    version: { deploymentName: DEPLOYMENT_NAME, buildId: options.buildId },
    // Every workflow says its own; one that forgot ends on the code that it was begun with.
    defaultVersioningBehavior: 'PINNED',
  };
  const application = await Worker.create({
    connection,
    namespace,
    taskQueue: ENGINE_TASK_QUEUE,
    workerDeploymentOptions,
    workflowBundle: { codePath: options.bundlePath },
    activities: createEngineActivities(dependencies),
    maxConcurrentActivityTaskExecutions: 20,
    maxCachedWorkflows: CACHED_WORKFLOWS,
    // After a crash, how long the server waits for this worker before it gives its workflows to another.
    stickyQueueScheduleToStartTimeout: '5 seconds',
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const providers = await Promise.all(
    accounts.map((account) =>
      Worker.create({
        connection,
        namespace,
        taskQueue: providerTaskQueue(account.name),
        workerDeploymentOptions,
        activities: createProviderActivities(dependencies),
        maxConcurrentActivityTaskExecutions: requestsAtOnce(account),
        shutdownGraceTime: SHUTDOWN_GRACE,
      }),
    ),
  );
  const uploads = await Worker.create({
    connection,
    namespace,
    taskQueue: UPLOAD_TASK_QUEUE,
    workerDeploymentOptions,
    activities: createUploadActivities(dependencies),
    maxConcurrentActivityTaskExecutions: UPLOADS_AT_ONCE,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const workers = [application, uploads, ...providers];
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // One that fails takes the others with it: half a worker would look alive and do nothing.
  const runs = workers.map((worker) =>
    worker.run().catch((error: unknown) => {
      stop();
      throw error;
    }),
  );
  return { done: Promise.all(runs).then(() => undefined), stop };
}
