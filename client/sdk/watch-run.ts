import { setTimeout as delay } from 'node:timers/promises';
import type { RunSummary } from '../../application/application-api.ts';
import { PayrunApiError, PayrunUnreachableError } from './errors.ts';
import { serverSentEvents } from './event-stream.ts';
import type { HttpCaller } from './http-caller.ts';

export interface WatchOptions {
  signal?: AbortSignal;
  /** How long to go on without a working connection before giving up. */
  patienceMs?: number;
  /** The server says something every 15 s; a line that is silent for longer is taken for dead. */
  silenceMs?: number;
  /** Waits between attempts to connect. */
  wait?: (delayMs: number, signal?: AbortSignal) => Promise<void>;
}

const PATIENCE_MS = 120_000;
const SILENCE_MS = 45_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The run at once, then whenever it has changed, until it has ended. Connects again when the line breaks or the server
 * goes away for a while. Throws PayrunApiError when the server refuses, PayrunUnreachableError when patience is at its
 * end, and the signal's reason when it is aborted.
 */
export async function* watchRun(
  call: HttpCaller,
  url: string,
  runId: string,
  options: WatchOptions = {},
): AsyncGenerator<RunSummary> {
  const { signal, patienceMs = PATIENCE_MS, silenceMs = SILENCE_MS, wait = pause } = options;
  let last = '';
  let pauseMs = FIRST_PAUSE_MS;
  let waitedMs = 0;
  for (;;) {
    try {
      for await (const event of runEvents(call, runId, silenceMs, signal)) {
        pauseMs = FIRST_PAUSE_MS;
        waitedMs = 0;
        if (event.event === 'end') return;
        if (event.event !== 'summary' || event.data === last) continue;
        last = event.data;
        yield JSON.parse(event.data) as RunSummary;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!mayPass(error)) throw error;
      if (waitedMs >= patienceMs) throw givenUp(url, error);
    }
    await wait(pauseMs, signal);
    signal?.throwIfAborted();
    waitedMs += pauseMs;
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

async function* runEvents(call: HttpCaller, runId: string, silenceMs: number, signal: AbortSignal | undefined) {
  const line = new AbortController();
  const onAbort = () => {
    line.abort(signal?.reason);
  };
  signal?.addEventListener('abort', onAbort);
  const watchdog = setTimeout(() => {
    line.abort(new LineBroken());
  }, silenceMs);
  try {
    signal?.throwIfAborted();
    const path = `/runs/${encodeURIComponent(runId)}/events`;
    const { body } = await call({ path, accept: 'text/event-stream', signal: line.signal });
    if (body === null) return;
    const pieces = body as AsyncIterable<Uint8Array>;
    yield* serverSentEvents(heard(pieces, () => watchdog.refresh()));
  } catch (error) {
    throw isOurs(error) ? error : new LineBroken({ cause: error });
  } finally {
    clearTimeout(watchdog);
    signal?.removeEventListener('abort', onAbort);
    line.abort(new LineBroken());
  }
}

async function* heard(pieces: AsyncIterable<Uint8Array>, onPiece: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    onPiece();
    yield piece;
  }
}

/** The connection ended or fell silent, which a new one may fix. */
class LineBroken extends Error {
  constructor(options?: ErrorOptions) {
    super('the connection broke', options);
    this.name = 'LineBroken';
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof PayrunApiError || error instanceof PayrunUnreachableError || error instanceof LineBroken;
}

function mayPass(error: unknown): boolean {
  if (error instanceof PayrunApiError) return error.status >= 500;
  return error instanceof PayrunUnreachableError || error instanceof LineBroken;
}

function givenUp(url: string, error: unknown): unknown {
  return error instanceof LineBroken ? new PayrunUnreachableError(url, error.message, { cause: error }) : error;
}

async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, signal === undefined ? {} : { signal });
}
