import { heartbeat } from '@temporalio/activity';

/** Well below the heartbeat timeout, so that the server soon notices a dead worker and a short activity sends none. */
const HEARTBEAT_INTERVAL_MS = 2_500;

/** The same activity, which sends heartbeats while it runs. */
export function withHeartbeats<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    const timer = setInterval(() => heartbeat(), HEARTBEAT_INTERVAL_MS);
    try {
      return await activity(input);
    } finally {
      clearInterval(timer);
    }
  };
}
