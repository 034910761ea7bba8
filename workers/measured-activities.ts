import type { Context } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Tracing } from '../telemetry/tracing.ts';

/** Counts the activities of a worker and, where traces are exported, makes a span of each. */
export function measuredActivities(metrics: Metrics, tracing: Tracing | null): ActivityInterceptorsFactory[] {
  const measured = (activity: Context): ReturnType<ActivityInterceptorsFactory> => ({
    inbound: {
      execute: async (input, next) => {
        const name = activity.info.activityType;
        try {
          const result = await next(input);
          metrics.add('payrun_activities_total', { activity: name, result: 'completed' });
          metrics.set('payrun_activity_last_completed_timestamp_seconds', { activity: name }, Date.now() / 1_000);
          return result;
        } catch (error) {
          metrics.add('payrun_activities_total', { activity: name, result: 'failed' });
          throw error;
        }
      },
    },
  });
  if (tracing === null) return [measured];
  return [measured, (activity) => ({ inbound: tracing.activityInterceptor(activity) })];
}
