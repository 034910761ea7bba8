import { isGrpcServiceError } from '@temporalio/client';
import proto from '@temporalio/proto';
import type { Workers } from '../../api/rate-limiter/rate-limiter.ts';
import {
  DEPLOYMENT_NAME,
  MAIN_TASK_QUEUE,
  NOTIFICATION_TASK_QUEUE,
  pinnedTo,
  providerTaskQueue,
  UPLOAD_TASK_QUEUE,
} from '../../domain/identifiers.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { readPollers } from './task-queues.ts';

const STATUS = proto.temporal.api.enums.v1.WorkerDeploymentVersionStatus;
const STATUS_OF: Readonly<Record<number, Workers['versions'][number]['status']>> = {
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT]: 'current',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_RAMPING]: 'ramping',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINING]: 'draining',
  [STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_DRAINED]: 'drained',
};
/** Of gRPC. */
const NOT_FOUND = 5;
/** Temporal names pollers for five minutes after their last poll, and a poll takes up to one. */
const SERVED_WITHIN_MS = 150_000;

/** Who polls the task queues, and the versions that have. @throws ApplicationError `unavailable` without Temporal */
export async function readWorkers(dependencies: ApplicationDependencies): Promise<Workers> {
  const { accounts, now } = dependencies;
  const queues = [
    { name: MAIN_TASK_QUEUE, type: 'workflow' as const },
    { name: MAIN_TASK_QUEUE, type: 'activity' as const },
    ...[UPLOAD_TASK_QUEUE, NOTIFICATION_TASK_QUEUE, ...accounts.map(({ name }) => providerTaskQueue(name))].map(
      (name) => ({ name, type: 'activity' as const }),
    ),
  ];
  try {
    const [versions, polls] = await Promise.all([readVersions(dependencies), pollsOf(dependencies, queues)]);
    const served = polls.filter(({ lastSeenMs }) => now() - lastSeenMs < SERVED_WITHIN_MS);
    const unserved = queues.filter(({ name }) => !served.some(({ queue }) => queue === name));
    return { versions, workers: workersOf(polls), unservedQueues: [...new Set(unserved.map(({ name }) => name))] };
  } catch (error) {
    throw new ApplicationError('unavailable', 'Temporal does not answer: try again', { cause: error });
  }
}

type Poll = Awaited<ReturnType<typeof pollsOf>>[number];

async function pollsOf(
  { temporal }: ApplicationDependencies,
  queues: readonly { name: string; type: 'workflow' | 'activity' }[],
) {
  const found = await Promise.all(
    queues.map(async ({ name, type }) =>
      (await readPollers(temporal, name, type)).map((poller) => ({ ...poller, queue: name })),
    ),
  );
  return found.flat();
}

/** A process polls several queues, each with an identity of its own behind the same beginning. */
function workersOf(polls: readonly Poll[]): Workers['workers'] {
  const workers = new Map<string, { poll: Poll; lastSeenMs: number; queues: Set<string> }>();
  for (const poll of polls) {
    const key = `${poll.identity} ${poll.buildId ?? ''}`;
    const known = workers.get(key) ?? { poll, lastSeenMs: 0, queues: new Set<string>() };
    known.lastSeenMs = Math.max(known.lastSeenMs, poll.lastSeenMs);
    known.queues.add(poll.queue);
    workers.set(key, known);
  }
  return [...workers.values()]
    .sort((one, other) => other.lastSeenMs - one.lastSeenMs)
    .map(({ poll, lastSeenMs, queues }) => ({
      identity: poll.identity,
      buildId: poll.buildId,
      lastSeenAt: new Date(lastSeenMs).toISOString(),
      queues: [...queues].sort(),
    }));
}

/** Empty before the first worker has connected. */
async function readVersions({ temporal }: ApplicationDependencies): Promise<Workers['versions']> {
  try {
    const { workerDeploymentInfo } = await temporal.workflowService.describeWorkerDeployment({
      namespace: temporal.options.namespace,
      deploymentName: DEPLOYMENT_NAME,
    });
    const found = workerDeploymentInfo?.versionSummaries ?? [];
    return await Promise.all(
      found.map(async ({ deploymentVersion, status, createTime }) => {
        const buildId = deploymentVersion?.buildId ?? '';
        return {
          buildId,
          status: STATUS_OF[status ?? 0] ?? 'inactive',
          firstSeenAt: createTime?.seconds ? new Date(Number(createTime.seconds) * 1_000).toISOString() : null,
          openPayments: (await temporal.workflow.count(pinnedTo(buildId))).count,
        };
      }),
    );
  } catch (error) {
    if (isGrpcServiceError(error) && (error.code as number) === NOT_FOUND) return [];
    throw error;
  }
}
