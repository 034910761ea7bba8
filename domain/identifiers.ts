/** The names of task queues and the ids of workflows. */

/** The name of the account with the provider that the environment alone describes. */
export const DEFAULT_ACCOUNT = 'default';

export const MAIN_TASK_QUEUE = 'payrun';

/** The Temporal deployment of all payrun workers, whichever queue they serve. Each build is a version of it. */
export const DEPLOYMENT_NAME = 'payrun';

/** Uploads go to hosts other than the provider's, which may be slow, so they have their own queue. */
export const UPLOAD_TASK_QUEUE = 'payrun/uploads';

/** Receivers of notifications may be slow or hang, so they have their own queue as well. */
export const NOTIFICATION_TASK_QUEUE = 'payrun/notifications';

/** The queue for the requests of one provider account. Nothing else runs on it, so its priorities are exact. */
export function providerTaskQueue(account: string): string {
  return `provider/${account}`;
}

export function paymentRunWorkflowId(runId: string): string {
  return `payment-run/${runId}`;
}

export function paymentWorkflowId(paymentId: string): string {
  return `payment/${paymentId}`;
}

export function paymentStatusPollerWorkflowId(account: string): string {
  return `payment-status-poller/${account}`;
}

export function manualOutcomeWorkflowId(manualOutcomeId: string): string {
  return `manual-outcome/${manualOutcomeId}`;
}

export function referenceDataWorkflowId(account: string): string {
  return `reference-data/${account}`;
}

export function onboardingWorkflowId(caseId: string): string {
  return `onboarding/${caseId}`;
}

export function casePollerWorkflowId(account: string): string {
  return `case-poller/${account}`;
}

export function moneyWatchWorkflowId(account: string): string {
  return `money-watch/${account}`;
}

export function conversionWorkflowId(orderId: string): string {
  return `conversion/${orderId}`;
}

/** Temporal adds the time to it when its schedule starts the workflow. */
export function occurrenceWorkflowId(id: string): string {
  return `schedule-occurrence/${id}`;
}

/** Of the schedule in Temporal that starts the occurrences. */
export function temporalScheduleId(scheduleId: string): string {
  return `treasury-schedule/${scheduleId}`;
}

export function conversionDryRunWorkflowId(dryRunId: string): string {
  return `conversion-dry-run/${dryRunId}`;
}

/** Reconciles the days of an account, one after another. */
export function dailyBooksWorkflowId(account: string): string {
  return `daily-books/${account}`;
}

export function dailyBooksScheduleId(account: string): string {
  return `daily-books/${account}`;
}

/** The day is UTC, YYYY-MM-DD. */
export function bookCloseWorkflowId(account: string, day: string): string {
  return `book-close/${account}/${day}`;
}

export function deliveryWorkflowId(endpointId: string): string {
  return `delivery/${endpointId}`;
}

/** Temporal's query for the open workflows that are pinned to a version: payments, and for seconds the fetching of lists. */
export function pinnedTo(buildId: string): string {
  return (
    `TemporalWorkerDeploymentVersion = '${DEPLOYMENT_NAME}:${buildId}'` +
    " AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'"
  );
}
