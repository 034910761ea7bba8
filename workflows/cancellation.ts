import { isCancellation } from '@temporalio/workflow';

/** For errors that a workflow continues after: only a cancellation of the workflow is thrown again. */
export function rethrowCancellation(error: unknown): void {
  if (isCancellation(error)) throw error;
}
