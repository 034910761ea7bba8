/** Names by which workflows, task queues and search attributes are known, in one place so that scripts can rely on them. */

export const ENGINE_TASK_QUEUE = 'payrun';

/** The queue of uploads, which wait for hosts that are not the provider's: nothing else waits behind them. */
export const UPLOAD_TASK_QUEUE = 'payrun/uploads';

/** The queue of one provider account's requests. Nothing else runs on it, so its priorities are exact. */
export function providerTaskQueue(account: string): string {
  return `provider/${account}`;
}

export function paymentRunWorkflowId(runId: string): string {
  return `payment-run/${runId}`;
}

export function paymentWorkflowId(paymentId: string): string {
  return `payment/${paymentId}`;
}

export function confirmationWorkflowId(account: string): string {
  return `confirmation/${account}`;
}

export function resolutionWorkflowId(resolutionId: string): string {
  return `resolution/${resolutionId}`;
}

export function referenceDataWorkflowId(account: string): string {
  return `reference-data/${account}`;
}
