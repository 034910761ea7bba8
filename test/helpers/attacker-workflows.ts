import { proxyActivities } from '@temporalio/workflow';

/** A workflow of someone with access to Temporal, who can call any activity of payrun's workers. */

type AnyActivity = (input: object) => Promise<unknown>;

interface Call {
  taskQueue: string;
  name: string;
  input: object;
}

export async function callActivity(call: Call): Promise<unknown> {
  const activities = proxyActivities<Record<string, AnyActivity>>({
    taskQueue: call.taskQueue,
    startToCloseTimeout: '20 seconds',
    retry: { maximumAttempts: 1 },
  });
  return activities[call.name]?.(call.input);
}

/** Calls them all at once, each whatever becomes of the others. */
export async function callActivities(calls: readonly Call[]): Promise<void> {
  await Promise.allSettled(calls.map(callActivity));
}
