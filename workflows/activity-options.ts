import { type ActivityOptions, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type {
  AccountActivities,
  ConversionActivities,
  MainActivities,
  NotificationActivities,
  OnboardingProviderActivities,
  ProviderActivities,
  UploadActivities,
} from '../activities/create-activities.ts';
import {
  MAIN_TASK_QUEUE,
  NOTIFICATION_TASK_QUEUE,
  providerTaskQueue,
  UPLOAD_TASK_QUEUE,
} from '../domain/identifiers.ts';
import {
  CONVERSION_PRIORITY,
  HISTORY_PRIORITY,
  ONBOARDING_PRIORITY,
  PAYMENT_PRIORITY,
} from '../domain/runs/request-priority.ts';

/** The time limit where someone waits for the answer, or the workflow can continue without it. */
const SCHEDULE_TO_CLOSE = { lookup: '20 seconds', interactive: '1 minute', indicate: '20 seconds' } as const;
type Waited = keyof typeof SCHEDULE_TO_CLOSE;

/** After this time without a heartbeat a worker counts as dead. */
const HEARTBEAT_TIMEOUT = '10 seconds';

/** Retries with increasing delays for as long as an outage may take. */
const PROVIDER_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

/** Activities that send one request each to an account's provider: by priority, then by the fairness share of the run. */
export function providerActivities(account: string, urgency: keyof typeof PAYMENT_PRIORITY): ProviderActivities {
  return proxyActivities<ProviderActivities>({
    ...PROVIDER_OPTIONS,
    ...(urgency in SCHEDULE_TO_CLOSE ? { scheduleToCloseTimeout: SCHEDULE_TO_CLOSE[urgency as Waited] } : {}),
    taskQueue: providerTaskQueue(account),
    priority: { ...workflowInfo().priority, priorityKey: PAYMENT_PRIORITY[urgency] },
  });
}

/** As `providerActivities`, for onboarding: it never delays payments much. */
export function onboardingActivities(
  account: string,
  urgency: keyof typeof ONBOARDING_PRIORITY,
): OnboardingProviderActivities {
  return proxyActivities<OnboardingProviderActivities>({
    ...PROVIDER_OPTIONS,
    ...(urgency === 'lookup' || urgency === 'poll' ? { scheduleToCloseTimeout: SCHEDULE_TO_CLOSE.interactive } : {}),
    taskQueue: providerTaskQueue(account),
    priority: ONBOARDING_PRIORITY[urgency],
  });
}

/** Reads that are planned again anyway: a provider that does not let something be read is asked seldom. */
const FEW_ATTEMPTS = { ...PROVIDER_OPTIONS.retry, maximumAttempts: 3 };

/** As `providerActivities`, for the history of balances. A read that comes too late is given up: the next one shows more. */
export function historyActivities(account: string, urgency: keyof typeof HISTORY_PRIORITY): AccountActivities {
  return proxyActivities<AccountActivities>({
    ...PROVIDER_OPTIONS,
    scheduleToCloseTimeout: urgency === 'last' ? '10 minutes' : SCHEDULE_TO_CLOSE.interactive,
    retry: FEW_ATTEMPTS,
    taskQueue: providerTaskQueue(account),
    priority: HISTORY_PRIORITY[urgency],
  });
}

/** As `providerActivities`, for conversions. A read that comes too late is given up: the workflow looks again. */
export function conversionActivities(account: string, kind: 'send' | 'read'): ConversionActivities {
  return proxyActivities<ConversionActivities>({
    ...PROVIDER_OPTIONS,
    ...(kind === 'read'
      ? {
          scheduleToCloseTimeout: SCHEDULE_TO_CLOSE.interactive,
          retry: FEW_ATTEMPTS,
        }
      : {}),
    taskQueue: providerTaskQueue(account),
    priority: CONVERSION_PRIORITY,
  });
}

/** Activities that use payrun's own record and Temporal only. */
export const mainActivities = proxyActivities<MainActivities>({
  taskQueue: MAIN_TASK_QUEUE,
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Those of a schedule: what they decide is of now, and useless later. A failure for longer is taken for a bug. */
export const occurrenceActivities = proxyActivities<MainActivities>({
  taskQueue: MAIN_TASK_QUEUE,
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  scheduleToCloseTimeout: '10 minutes',
  retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Activities that call a storage host. The workflow decides how many upload URLs are tried. */
export const uploadActivities = proxyActivities<UploadActivities>({
  taskQueue: UPLOAD_TASK_QUEUE,
  startToCloseTimeout: '3 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '30 seconds' },
});

/** Activities that send notifications. What a receiver does is recorded: only a failure of payrun's own is tried again here. */
export const notificationActivities = proxyActivities<NotificationActivities>({
  taskQueue: NOTIFICATION_TASK_QUEUE,
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
