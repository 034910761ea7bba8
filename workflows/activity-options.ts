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

/**
 * The lower the number, the sooner a request is sent: payments that are already begun come first. Preparation and quotes of
 * all runs share one priority, so that a run with new beneficiaries does not wait for all quotes of another run.
 */
const PRIORITY = { confirm: 1, look: 1, fund: 1, ask: 2, create: 2, begin: 3 } as const;

/** The time limit where someone waits for the answer, or the workflow can continue without it. */
const SCHEDULE_TO_CLOSE = { look: '20 seconds', ask: '1 minute' } as const;

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
export function providerActivities(account: string, urgency: keyof typeof PRIORITY): ProviderActivities {
  return proxyActivities<ProviderActivities>({
    ...PROVIDER_OPTIONS,
    ...(urgency === 'look' || urgency === 'ask' ? { scheduleToCloseTimeout: SCHEDULE_TO_CLOSE[urgency] } : {}),
    taskQueue: providerTaskQueue(account),
    priority: { ...workflowInfo().priority, priorityKey: PRIORITY[urgency] },
  });
}

/**
 * Onboarding shares the priority of new payments, and has at most a seventh of an account's requests beside them: for each
 * payment that a run begins (three requests) at most half a request of onboarding, as its weights are together half of the
 * smallest run's. Of these, nine in ten are for applicants who are signed up already: the next one is signed up when the one
 * before is nearly done, and if users cannot be read, few were signed up. Reads that nothing hinted at come last of all.
 */
const ONBOARDING = {
  signUp: { priorityKey: 3, fairnessKey: 'onboarding/sign-up', fairnessWeight: 0.05 },
  begin: { priorityKey: 3, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
  look: { priorityKey: 3, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
  sweep: { priorityKey: 4, fairnessKey: 'onboarding', fairnessWeight: 0.45 },
} as const;

/** As `providerActivities`, for onboarding: it never delays payments much. */
export function onboardingActivities(account: string, urgency: keyof typeof ONBOARDING): OnboardingProviderActivities {
  return proxyActivities<OnboardingProviderActivities>({
    ...PROVIDER_OPTIONS,
    ...(urgency === 'look' || urgency === 'sweep' ? { scheduleToCloseTimeout: SCHEDULE_TO_CLOSE.ask } : {}),
    taskQueue: providerTaskQueue(account),
    priority: ONBOARDING[urgency],
  });
}

/**
 * The history of balances comes after all payments. While somebody waits for money, or looks at it, a busy account must not
 * keep it from being read: then it has a share beside new payments, as onboarding has.
 */
const HISTORY = {
  waitedFor: { priorityKey: 3, fairnessKey: 'history', fairnessWeight: 0.45 },
  last: { priorityKey: 5, fairnessKey: 'history', fairnessWeight: 0.45 },
} as const;

/** A provider that does not let its history be read is asked seldom. */
const MAX_HISTORY_ATTEMPTS = 3;

/** As `providerActivities`, for the history of balances. A read that comes too late is given up: the next one shows more. */
export function historyActivities(account: string, urgency: keyof typeof HISTORY): AccountActivities {
  return proxyActivities<AccountActivities>({
    ...PROVIDER_OPTIONS,
    scheduleToCloseTimeout: urgency === 'last' ? '10 minutes' : SCHEDULE_TO_CLOSE.ask,
    retry: { ...PROVIDER_OPTIONS.retry, maximumAttempts: MAX_HISTORY_ATTEMPTS },
    taskQueue: providerTaskQueue(account),
    priority: HISTORY[urgency],
  });
}

/** Conversions come after payments that are begun, and have a share beside new ones, as onboarding has. */
const CONVERSIONS = { priorityKey: 3, fairnessKey: 'conversions', fairnessWeight: 0.45 };

/** As `providerActivities`, for conversions. A read that comes too late is given up: the workflow looks again. */
export function conversionActivities(account: string, kind: 'send' | 'read'): ConversionActivities {
  return proxyActivities<ConversionActivities>({
    ...PROVIDER_OPTIONS,
    ...(kind === 'read' ? { scheduleToCloseTimeout: SCHEDULE_TO_CLOSE.ask } : {}),
    taskQueue: providerTaskQueue(account),
    priority: CONVERSIONS,
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
