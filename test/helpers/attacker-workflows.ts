import { proxyActivities } from '@temporalio/workflow';

/** A workflow of someone with access to Temporal, who can call any activity of payrun's workers. */

type AnyActivity = (input: object) => Promise<unknown>;

export async function callActivity(call: { taskQueue: string; name: string; input: object }): Promise<unknown> {
  const activities = proxyActivities<Record<string, AnyActivity>>({
    taskQueue: call.taskQueue,
    startToCloseTimeout: '20 seconds',
    retry: { maximumAttempts: 1 },
  });
  return activities[call.name]?.(call.input);
}
