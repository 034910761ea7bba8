import {
  type ActivityInterceptorsFactory,
  type NativeConnection,
  Worker,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import {
  createMainActivities,
  createNotificationActivities,
  createProviderActivities,
  createUploadActivities,
} from '../activities/create-activities.ts';
import type { ActivityDependencies } from '../activities/dependencies.ts';
import {
  DEPLOYMENT_NAME,
  MAIN_TASK_QUEUE,
  NOTIFICATION_TASK_QUEUE,
  providerTaskQueue,
  UPLOAD_TASK_QUEUE,
} from '../domain/identifiers.ts';
import type { ProviderAccount } from '../config/account-settings.ts';
import { heartbeats } from './heartbeats.ts';

/** One activity for each lease of the rate limiter. The others wait in Temporal, which starts them by priority. */
function maxConcurrentRequests({ requestsPerSecond }: ProviderAccount): number {
  return requestsPerSecond === 0 ? 40 : Math.min(Math.max(requestsPerSecond, 2), 100);
}

/** Few, since each upload holds its file in memory. */
const MAX_CONCURRENT_UPLOADS = 8;

/** Receivers that hang take one each for 15 seconds. */
const MAX_CONCURRENT_NOTIFICATIONS = 20;

const SHUTDOWN_GRACE = '10 seconds';
const MAX_CACHED_WORKFLOWS = 1_000;

export interface RunningWorkers {
  /** Rejects when a worker fails; resolves after `stop`. */
  done: Promise<void>;
  /** Serves another provider account as well. Resolves when its worker polls. */
  add(account: ProviderAccount): Promise<void>;
  stop(): void;
}

/**
 * Starts the workers of one process: for workflows and local activities, for uploads, for notifications, and for each
 * provider account.
 */
export async function startWorkers(options: {
  connection: NativeConnection;
  namespace: string;
  bundlePath: string;
  /** The deployment version of these workers. */
  buildId: string;
  accounts: readonly ProviderAccount[];
  dependencies: ActivityDependencies;
  /** For metrics and traces. */
  activityInterceptors?: ActivityInterceptorsFactory[];
}): Promise<RunningWorkers> {
  const { connection, namespace, accounts, dependencies } = options;
  const interceptors = { activity: [heartbeats, ...(options.activityInterceptors ?? [])] };
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
    interceptors,
    workflowBundle: { codePath: options.bundlePath },
    activities: createMainActivities(dependencies),
    maxConcurrentActivityTaskExecutions: 20,
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    // How long the server waits for a crashed worker before it gives its workflows to another one.
    stickyQueueScheduleToStartTimeout: '5 seconds',
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const providerWorker = (account: ProviderAccount): Promise<Worker> =>
    Worker.create({
      connection,
      namespace,
      taskQueue: providerTaskQueue(account.name),
      workerDeploymentOptions,
      interceptors,
      activities: createProviderActivities(dependencies),
      maxConcurrentActivityTaskExecutions: maxConcurrentRequests(account),
      shutdownGraceTime: SHUTDOWN_GRACE,
    });
  const providers = await Promise.all(accounts.map(providerWorker));
  const uploads = await Worker.create({
    connection,
    namespace,
    taskQueue: UPLOAD_TASK_QUEUE,
    workerDeploymentOptions,
    interceptors,
    activities: createUploadActivities(dependencies),
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_UPLOADS,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const notifications = await Worker.create({
    connection,
    namespace,
    taskQueue: NOTIFICATION_TASK_QUEUE,
    workerDeploymentOptions,
    interceptors,
    activities: createNotificationActivities(dependencies),
    maxConcurrentActivityTaskExecutions: MAX_CONCURRENT_NOTIFICATIONS,
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
  const running = runTogether([application, uploads, notifications, ...providers]);
  return {
    ...running,
    add: async (account) => running.run(await providerWorker(account)),
  };
}

/** If one worker fails, all stop: the process would otherwise look healthy while part of the work is not done. */
function runTogether(first: readonly Worker[]): {
  done: Promise<void>;
  run(worker: Worker): void;
  stop(): void;
} {
  const workers: Worker[] = [];
  let isStopping = false;
  let unfinished = 0;
  let resolve: () => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const done = new Promise<void>((whenDone, whenFailed) => {
    resolve = whenDone;
    reject = whenFailed;
  });
  const stop = (): void => {
    isStopping = true;
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const run = (worker: Worker): void => {
    if (isStopping) return;
    workers.push(worker);
    unfinished += 1;
    worker.run().then(
      () => {
        unfinished -= 1;
        if (unfinished === 0) resolve();
      },
      (error: unknown) => {
        stop();
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  };
  for (const worker of first) run(worker);
  return { done, run, stop };
}
