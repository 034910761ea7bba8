import { heartbeat } from '@temporalio/activity';

/** Often enough that the server misses a dead worker soon; what is done sooner costs no heartbeat at all. */
const HEARTBEAT_EVERY_MS = 2_500;

/** Shows Temporal that this worker is alive for as long as the work takes. */
export async function whileAlive<T>(work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => heartbeat(), HEARTBEAT_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}

/** The same activity, with heartbeats. */
export function withHeartbeats<Input, Output>(
  activity: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return (input) => whileAlive(() => activity(input));
}
