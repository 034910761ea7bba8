import { type NativeConnection, Worker, type WorkerDeploymentOptions } from '@temporalio/worker';
import {
  createMainActivities,
  createProviderActivities,
  createUploadActivities,
} from '../activities/create-activities.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import { MAIN_TASK_QUEUE, providerTaskQueue, UPLOAD_TASK_QUEUE } from '../domain/identifiers.ts';
import type { ProviderAccount } from '../config/account-settings.ts';
import { DEPLOYMENT_NAME } from './versions/deployment.ts';

/** One activity for each slot of the gate. The others wait in Temporal, which starts them by priority. */
function maxConcurrentRequests({ requestsPerSecond }: ProviderAccount): number {
  return requestsPerSecond === 0 ? 40 : Math.min(Math.max(requestsPerSecond, 2), 100);
}

/** Few, since each upload holds its file in memory. */
const MAX_CONCURRENT_UPLOADS = 8;

const SHUTDOWN_GRACE = '10 seconds';
const MAX_CACHED_WORKFLOWS = 1_000;

export interface RunningWorkers {
  /** Rejects when a worker fails; resolves after `stop`. */
  done: Promise<void>;
  stop(): void;
}

/**
 * Starts the workers of one process: for workflows and local activities, for uploads, and for each provider account.
 */
export async function startWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  bundlePath: string;
  /** The deployment version of these workers. */
  buildId: string;
  accounts: readonly ProviderAccount[];
  dependencies: ActivityDependencies;
}): Promise<RunningWorkers> {
  const { connection, namespace, accounts, dependencies } = options;
  const workerDeploymentOptions: WorkerDeploymentOptions = {
    useWorkerVersioning: true,
    version: { deploymentName: DEPLOYMENT_NAME, buildId: options.buildId },
    // Every workflow sets its own behavior; this is the safe one for a workflow that does not.
    defaultVersioningBehavior: 'PINNED',
  };
  const application = await Worker.create({
    connection,
    namespace,
    taskQueue: MAIN_TASK_QUEUE,
    workerDeploymentOptions,
    workflowBundle: { codePath: options.bundlePath },
    activities: createMainActivities(dependencies),
    maxConcurrentActivityTaskExecutions: 20,
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    // How long the server waits for a crashed worker before it gives its workflows to another one.
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
        maxConcurrentActivityTaskExecutions: maxConcurrentRequests(account),
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
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_UPLOADS,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const workers = [application, uploads, ...providers];
  const stop = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  // If one fails, all stop: the process would otherwise look healthy while part of the work is not done.
  const runs = workers.map((worker) =>
    worker.run().catch((error: unknown) => {
      stop();
      throw error;
    }),
  );
  return { done: Promise.all(runs).then(() => undefined), stop };
}
