import type { Context } from '@temporalio/activity';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/** Well below the heartbeat timeout, so that the server soon notices a dead worker and a short activity sends none. */
const HEARTBEAT_INTERVAL_MS = 2_500;

/** Sends heartbeats while an activity runs. */
export const heartbeats: ActivityInterceptorsFactory = (activity: Context) => ({
  inbound: {
    execute: async (input, next) => {
      const timer = setInterval(() => activity.heartbeat(), HEARTBEAT_INTERVAL_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(timer);
      }
    },
  },
});
