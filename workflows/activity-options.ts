import { type ActivityOptions, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { EngineActivities, ProviderActivities, UploadActivities } from '../activities/create-activities.ts';
import { ENGINE_TASK_QUEUE, providerTaskQueue, UPLOAD_TASK_QUEUE } from '../domain/identifiers.ts';

/**
 * What is begun is finished first: the lower the number, the sooner a request is sent. Preparing a payment and quoting
 * it are its beginning, and runs take turns at that: a run with new beneficiaries must not wait for all quotes of another.
 */
const PRIORITY = { confirm: 1, look: 1, fund: 1, ask: 2, create: 2, begin: 3 } as const;

/** Where there is something else to do meanwhile, or someone waits for the answer: they are told soon that there is none. */
const UNTIL = { look: '20 seconds', ask: '1 minute' } as const;

/** A worker that dies is noticed by its silence. */
const HEARTBEAT_TIMEOUT = '10 seconds';

/** A request that provably had no effect is sent again, ever slower, for as long as an outage may take. */
const PROVIDER_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/**
 * Activities that send one request each to an account's provider, in the order of their urgency, and among those alike
 * by the share of the workflow.
 */
export function providerActivities(account: string, urgency: keyof typeof PRIORITY): ProviderActivities {
  return proxyActivities<ProviderActivities>({
    ...PROVIDER_OPTIONS,
    ...(urgency === 'look' || urgency === 'ask' ? { scheduleToCloseTimeout: UNTIL[urgency] } : {}),
    taskQueue: providerTaskQueue(account),
    priority: { ...workflowInfo().priority, priorityKey: PRIORITY[urgency] },
  });
}

/** Activities that read and write payrun's own record, or speak to Temporal. */
export const engineActivities = proxyActivities<EngineActivities>({
  taskQueue: ENGINE_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** A file is sent to one address a few times, and then to another one: how often is the workflow's to say. */
export const uploadActivities = proxyActivities<UploadActivities>({
  taskQueue: UPLOAD_TASK_QUEUE,
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});
