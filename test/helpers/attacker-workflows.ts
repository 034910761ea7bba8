import { proxyActivities } from '@temporalio/workflow';

/** What whoever reaches Temporal can do besides: workflows of their own, which call any activity of payrun's workers. */

type AnyActivity = (input: object) => Promise<unknown>;

export async function callActivity(call: { taskQueue: string; name: string; input: object }): Promise<unknown> {
  const activities = proxyActivities<Record<string, AnyActivity>>({
    taskQueue: call.taskQueue,
    startToCloseTimeout: '20 seconds',
    retry: { maximumAttempts: 1 },
  });
  return activities[call.name]?.(call.input);
}
