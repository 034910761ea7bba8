import { Readable } from 'node:stream';

/** After this a watcher who does not take the end of the events is cut off. */
const END_GRACE_MS = 2_000;

/**
 * Server-sent events as the body of an answer. They end with the signal, also for a client that has stopped reading: nobody
 * would ask for the next event, so that what reads for it would go on as long as the connection.
 */
export function eventAnswer(
  lines: AsyncIterable<string>,
  signal: AbortSignal,
  { graceMs = END_GRACE_MS, highWaterMark = 16 } = {},
): Readable {
  const answer = Readable.from(lines, { highWaterMark });
  const endSoon = (): void => {
    const timer = setTimeout(() => answer.destroy(), graceMs);
    timer.unref();
    answer.once('close', () => {
      clearTimeout(timer);
    });
  };
  if (signal.aborted) endSoon();
  else signal.addEventListener('abort', endSoon, { once: true });
  return answer;
}
